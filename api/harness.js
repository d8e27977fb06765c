import '../js/required.js'

export { sandboxWorkspaceBackend } from '../js/workspace/backend.js'
