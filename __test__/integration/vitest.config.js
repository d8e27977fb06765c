import { defineConfig } from 'vitest/config'

// Apart from `npm test`: these install and run other tools, which takes minutes the first time.
export default defineConfig({
  test: {
    include: ['__test__/{integration,runtimes}/*.test.js'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Each starts programs that use several cores.
    fileParallelism: false,
    globalSetup: '__test__/integration/support/tarballs.js',
  },
})
