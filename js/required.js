/** Imported first by each module that is of no use without the native library: throws the load error. */

import { failure } from './load.js'

if (failure) throw failure
