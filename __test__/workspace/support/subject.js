/**
 * What the tests test: the package or, with `AI_SANDBOX_TEST_SUBJECT=oracle` in the environment,
 * the port in its place. The latter shows that the tests ask for nothing but the contract.
 */

export const isNative = process.env.AI_SANDBOX_TEST_SUBJECT !== 'oracle'

const subject = await import(isNative ? '../../../api/workspace-backend.js' : './port.js')

export const { sandboxWorkspaceBackend } = subject
