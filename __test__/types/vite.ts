// The plugin: known without Vite's types, and fit for them.

import aiSandboxNativeByDefault, {
  type AiSandboxNativeOptions,
  aiSandboxNative,
  type SwappableModule,
} from 'ai-sandbox-native/vite'
import 'ai-sandbox-native/register'
import type { Plugin, UserConfig } from 'vite'
import type { Equal, Expect } from './equal.js'

export const plugin: Plugin = aiSandboxNative()
export const config: UserConfig = { plugins: [aiSandboxNative({ modules: ['runner'] })] }
export type Default = Expect<Equal<typeof aiSandboxNativeByDefault, typeof aiSandboxNative>>

const modules: readonly SwappableModule[] = ['journal', 'workspace-backend']
export const options: AiSandboxNativeOptions = { modules }

// @ts-expect-error: no such module.
aiSandboxNative({ modules: ['harness'] })
// @ts-expect-error: modules are in a list.
aiSandboxNative({ modules: 'runner' })
