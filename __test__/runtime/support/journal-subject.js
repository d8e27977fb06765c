/** The module `journal` under test: the package's or, as `../../support/subject.js` says, the oracle. */

import { isNative } from '../../support/subject.js'

export { isNative }

/** @type {typeof import('../../../api/journal.js')} */
export const journal = await import(isNative ? '../../../api/journal.js' : './journal-oracle.js')
