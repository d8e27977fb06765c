import { defineConfig } from 'vite'

// A build with all packages inside, which leaves out this one alone.
export default defineConfig({
  build: { outDir: 'dist-whole' },
  ssr: { noExternal: true, external: ['ai-sandbox-native'] },
})
