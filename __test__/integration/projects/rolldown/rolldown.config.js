import { defineConfig } from 'rolldown'

export default defineConfig({
  input: 'src/main.js',
  platform: 'node',
  // A string would stand for itself alone, without the subpaths.
  external: [/^ai-sandbox-native/],
  output: { file: 'dist/main.js' },
})
