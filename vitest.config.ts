import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests that run in both vitest projects: with small data in `service`, at full size in `long`. */
const LONG_TESTS = [
  'service/test/faults/**/*.test.ts',
  'service/test/accounts/admissions.test.ts',
  'service/test/accounts/simulation/simulation.test.ts',
  'service/test/api/search/search-plans.test.ts',
  'service/test/notify/oracle.test.ts',
  'service/test/search/watch/before-states.test.ts',
  'service/test/spec/comparisons/**/*.test.ts',
  'service/test/spec/http/raw-exchanges.test.ts',
]

/** Folders with the slowest files, which mostly wait: for processes that they start, and for timeouts. */
const SLOW_FOLDERS = ['faults', 'commands', 'operations', 'accounts'].map((name) => `/service/test/${name}/`)
/** With two, the slow files have all started when a third of the other files is left. */
const OTHER_FILES_PER_SLOW_FILE = 2

/**
 * Mixes the slow files with the others, which use the processors while the slow files wait. The run ends with other
 * files, so that no worker runs a slow file alone at the end.
 */
class SlowFilesAmongOthers extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW_FOLDERS.some((folder) => moduleId.includes(folder))
    const sorted = await super.sort(files)
    const others = sorted.filter((file) => !isSlow(file))
    const mixed = sorted.filter(isSlow).flatMap((file) => [file, ...others.splice(0, OTHER_FILES_PER_SLOW_FILE)])
    return [...mixed, ...others]
  }
}

/** Journeys through the built console in a browser: `npm run journeys` builds it and runs them. */
const JOURNEYS = 'console/test/journeys/**/*.test.ts'

/** The tests of cli and console import the sdk's sources, because the compiled files in sdk/dist may be absent or outdated. */
const SDK_SOURCES = {
  'vis-sdk/vocabulary': fileURLToPath(new URL('sdk/src/generated/vocabulary.ts', import.meta.url)),
  'vis-sdk/sources': fileURLToPath(new URL('sdk/src/generated/sources.ts', import.meta.url)),
  'vis-sdk': fileURLToPath(new URL('sdk/src/index.ts', import.meta.url)),
}

const service = {
  globalSetup: ['service/test/support/global-setup.ts'],
  setupFiles: ['service/test/support/setup.ts'],
  environment: 'node',
  // Tests use real servers and databases, and must also pass on a machine that is five times slower than usual.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  // Tests spend much of their time waiting for servers and processes, so there are twice as many workers as cores. With
  // more of them, tests of timeouts fail on a busy machine.
  maxWorkers: availableParallelism() * 2,
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFilesAmongOthers },
    projects: [
      {
        test: {
          ...service,
          name: 'service',
          // Test files run one after the other in the same worker processes. With a process per file, the modules of the
          // service would be loaded for each file, which takes most of the processor time of a short file.
          isolate: false,
          alias: SDK_SOURCES,
          include: [
            'service/test/**/*.test.ts',
            'sdk/test/**/*.test.ts',
            'cli/test/**/*.test.ts',
            'console/test/**/*.test.{ts,tsx}',
          ],
          exclude: [JOURNEYS],
        },
      },
      {
        test: {
          ...service,
          name: 'journeys',
          include: [JOURNEYS],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...service,
          // The tests of the lab at the small size: seconds instead of minutes or hours.
          name: 'lab',
          alias: SDK_SOURCES,
          include: ['lab/**/*.test.ts'],
          testTimeout: 900_000,
        },
      },
      {
        test: {
          ...service,
          name: 'long',
          alias: SDK_SOURCES,
          // Makes these tests run at full size; see service/test/support/size.ts.
          env: { TEST_SIZE: 'long' },
          include: ['lab/**/*.{long,test}.ts', ...LONG_TESTS],
          testTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
