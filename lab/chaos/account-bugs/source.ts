// Puts bugs on purpose into a copy of the service's source code and runs tests in that copy.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

export interface SourceBug {
  readonly name: string
  readonly file: string
  readonly changes: readonly Change[]
  /** Title and file of the test that must detect the bug. */
  readonly test: string
  readonly testFile: string
}

interface Change {
  readonly text: string
  readonly replacement: string
}

export const CHARGE_ON_400: SourceBug = {
  name: 'requests with status 400 are charged',
  file: 'service/src/api/register.ts',
  changes: [
    {
      text: '    const input = endpoint.body || document ?',
      replacement: `    if (admitted && endpoint.credits > 0) await api.credits.meter.charge(buildCharge(endpoint, admitted, request.id))
    const input = endpoint.body || document ?`,
    },
  ],
  test: 'writes no ledger entry for 400 and 405 responses',
  testFile: 'service/test/spec/http/credits.test.ts',
}

export const WINDOW_MOVES: SourceBug = {
  name: 'rejected requests move the rate limit window',
  file: 'service/src/api/admission/rate-window.ts',
  changes: [
    {
      text: "'start', 'used')\n",
      replacement: `'start', 'used')
start = tonumber(kept[1]) or start
if now >= start + window then start = now end
`,
    },
    {
      text: 'return { allowed,',
      replacement: `if allowed == 0 then
  start = now
  redis.call('HSET', KEYS[1], 'start', start, 'used', used)
  redis.call('EXPIREAT', KEYS[1], start + window + 1)
end
return { allowed,`,
    },
  ],
  test: 'rejected requests do not move the rate limit window',
  testFile: 'service/test/accounts/rate-limit-window.test.ts',
}

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = [
  'service',
  'lab',
  'tools',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'vitest.config.ts',
  'openapi.json',
]
const EXCLUDED = new Set(['node_modules', 'dist'])
const RUN_TIMEOUT_MS = 600_000

interface Results {
  readonly passed: readonly string[]
  readonly failed: readonly { readonly name: string; readonly reason: string }[]
}

/** Runs the tests that must detect the bugs in `tested`, in a copy of the repository with `bugs` seeded. */
export async function runCopy(bugs: readonly SourceBug[], tested: readonly SourceBug[]): Promise<Results> {
  const copy = mkdtempSync(join(tmpdir(), 'vis-seeded-'))
  try {
    copyTo(copy)
    for (const bug of bugs) seedBug(join(copy, bug.file), bug)
    const pattern = tested.map(({ test }) => test).join('|')
    return await runTests(copy, [...tested.map(({ testFile }) => testFile), '--testNamePattern', pattern])
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 })
  }
}

function copyTo(copy: string): void {
  for (const name of COPIED) {
    cpSync(join(REPOSITORY, name), join(copy, name), {
      recursive: true,
      filter: (source) => !EXCLUDED.has(basename(source)),
    })
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'))
}

/** Throws if the source code does not contain the text that a bug replaces: the bug could not be seeded any more. */
export function assertSeedable(bug: SourceBug): void {
  applyChanges(join(REPOSITORY, bug.file), bug)
}

function seedBug(path: string, bug: SourceBug): void {
  writeFileSync(path, applyChanges(path, bug))
}

function applyChanges(path: string, { name, changes }: SourceBug): string {
  return changes.reduce(
    (source, { text, replacement }) => {
      if (source.split(text).length !== 2) throw new Error(`${name}: ${path} must contain exactly one "${text}"`)
      return source.replace(text, () => replacement)
    },
    readFileSync(path, 'utf8'),
  )
}

async function runTests(copy: string, args: readonly string[]): Promise<Results> {
  const report = join(copy, 'report.json')
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [
        vitest,
        'run',
        '--project',
        'service',
        '--project',
        'lab',
        '--reporter',
        'json',
        '--outputFile',
        report,
        ...args,
      ],
      {
        cwd: copy,
        timeout: RUN_TIMEOUT_MS,
        // The environment variables of this test run must not influence the tests in the copied repository.
        env: { NO_COLOR: '1', TEST_DATABASE_URL: inject('database').serverUrl, TEST_REDIS_URL: inject('redisUrl') },
      },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    )
  })
  return parseResults(report, output)
}

interface Assertion {
  readonly title: string
  readonly status: string
  readonly failureMessages?: readonly string[]
}

function parseResults(report: string, output: string): Results {
  const { testResults }: { testResults: readonly { assertionResults: readonly Assertion[] }[] } = readReport(
    report,
    output,
  )
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    passed: all.filter(({ status }) => status === 'passed').map(({ title }) => title),
    failed: all
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages = [] }) => ({ name: title, reason: failureMessages[0]?.split('\n', 1)[0] ?? '' })),
  }
}

function readReport(report: string, output: string) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch (error) {
    throw new Error(`the tests of the copy wrote no report:\n${output}`, { cause: error })
  }
}
