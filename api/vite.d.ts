/**
 * A plugin for Vite and Vitest that swaps the modules inside `@tanstack/ai-sandbox`, the built
 * package or its TypeScript sources, for the native ones.
 *
 * ```js
 * // vite.config.js or vitest.config.js
 * import { aiSandboxNative } from 'ai-sandbox-native/vite'
 *
 * export default { plugins: [aiSandboxNative()] }
 * ```
 *
 * @module
 */

/** The modules of `@tanstack/ai-sandbox` that have a native counterpart. */
export type SwappableModule =
  | 'attach-preflight'
  | 'journal'
  | 'journal-bytes'
  | 'journal-reader'
  | 'journal-sweep'
  | 'runner'
  | 'workspace-backend'

export interface AiSandboxNativeOptions {
  /**
   * Which modules are swapped; all, when it isn't given. `journal-reader` and `runner` bring
   * `attach-preflight` along, whose error class they throw. An empty list swaps nothing.
   */
  modules?: readonly SwappableModule[] | undefined
}

/** The part of Vite's `Plugin` that is known without Vite. */
export interface AiSandboxNativePlugin {
  name: string
}

/**
 * - It swaps in code for Node: Vite's server environments, and Vitest. For a browser or an edge
 *   runtime the original stays.
 * - It has Vite run the original and every installed package that reaches it, in place of leaving
 *   them to Node, and keeps them from Vite's optimizer. It looks for them from the `package.json` of
 *   Vite's root and of all folders above it, and from all packages of the workspace around it.
 * - It keeps this package out of bundles, by whatever name it is installed: install it where the
 *   bundle runs.
 * - A swapped module has just the exports of the one that it replaces: native where this package has
 *   the name, the original's else. A module that the installed version lacks is left alone.
 * - `AI_SANDBOX_NATIVE_LOG=1` says on stderr, a line a module, what was swapped and what wasn't, and
 *   whether there is nothing to swap.
 * - Without a native library a development server and Vitest keep the original, with one warning;
 *   `AI_SANDBOX_NATIVE=required` makes it an error. A build needs the library only where it runs.
 */
export function aiSandboxNative(options?: AiSandboxNativeOptions): AiSandboxNativePlugin

export default aiSandboxNative
