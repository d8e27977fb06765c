export { aiSandboxNative, aiSandboxNative as default } from '../js/swap/vite.js'
