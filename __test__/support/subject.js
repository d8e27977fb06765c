/**
 * What the tests test: the package or, with `AI_SANDBOX_TEST_SUBJECT=oracle` in the environment,
 * the oracle in its place. The latter shows that the tests ask for nothing but the contract: an
 * implementation that shares no line with the native one passes them.
 */

export const isNative = process.env.AI_SANDBOX_TEST_SUBJECT !== 'oracle'

const subject = await import(isNative ? '../../api/native.js' : './oracle.js')

export const {
  decodeBase64Stream,
  encodeUtf8Stream,
  toJournalLines,
  toJournalLineBatches,
  JournalFramer,
} = subject
