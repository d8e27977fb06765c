/** The app through Vite's development server. */

import { createServer } from 'vite'

const server = await createServer({
  appType: 'custom',
  logLevel: 'warn',
  server: { middlewareMode: true, ws: false },
})
const { usePackage } = await server.ssrLoadModule('/src/use-package.js')
console.log(JSON.stringify(await usePackage()))
await server.close()
