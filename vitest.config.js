import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['__test__/**/*.test.js'],
    // They have a command of their own.
    exclude: ['__test__/{integration,runtimes}/**'],
    // A process per test file: a crash of the addon fails one file and names it.
    pool: 'forks',
    testTimeout: 60_000,
  },
})
