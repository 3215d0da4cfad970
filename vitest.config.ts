import { defineConfig } from 'vitest/config'

const service = {
  globalSetup: ['service/test/support/global-setup.ts'],
  setupFiles: ['service/test/support/network/closed-network.ts'],
  environment: 'node',
  // Real servers and databases: a slow machine must not look like a fault.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // Most tests wait for timeouts, restarts and processes rather than for a core.
  maxWorkers: 3,
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...service,
          name: 'service',
          include: ['service/test/**/*.test.ts', 'sdk/test/**/*.test.ts', 'cli/test/**/*.test.ts'],
        },
      },
      {
        test: {
          ...service,
          name: 'long',
          include: ['service/test/**/*.long.ts'],
          testTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
