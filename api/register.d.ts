/**
 * `node --import ai-sandbox-native/register app.js` swaps the modules inside an installed
 * `@tanstack/ai-sandbox`: its own code, and all that imports it, runs on the native ones.
 *
 * - A swapped module has just the exports of the one that it replaces: native where this package has
 *   the name, the original's else. A module that the installed version lacks is left alone.
 * - `AI_SANDBOX_NATIVE_LOG=1` says on stderr, a line a module, what was swapped and what wasn't.
 * - Without a native library for the platform nothing is swapped, with one warning;
 *   `AI_SANDBOX_NATIVE=required` makes it an error.
 *
 * Node 20.6 or later. It has no exports.
 *
 * @module
 */
export {}
