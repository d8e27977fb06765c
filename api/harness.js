export { sandboxWorkspaceBackend } from '../js/workspace/backend.js'
