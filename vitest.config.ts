import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Every test of the service starts processes of its own, so two files at a time fill a small machine. */
const workers = Math.min(2, availableParallelism())

const inBrowser = ['web/{test,e2e}/**/*.test.ts', '**/*.e2e.test.ts']
const never = ['**/node_modules/**', 'web/dist/**']

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{server,web}/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.{ts,mjs}'],
          exclude: [...never, ...inBrowser],
          maxWorkers: workers,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'service',
          include: ['server/test/**/*.test.ts'],
          exclude: [...never, ...inBrowser],
          maxWorkers: workers,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: inBrowser,
          exclude: never,
          maxWorkers: workers,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
