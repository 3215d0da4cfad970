// Bugs put into a copy of the source on purpose, and the tests of that copy.
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
  /** The test that must notice, and the file it is in. */
  readonly test: string
  readonly testFile: string
}

interface Change {
  readonly text: string
  readonly becomes: string
}

export const CHARGE_ON_400: SourceBug = {
  name: 'charge on 400',
  file: 'service/src/api/register.ts',
  changes: [
    {
      text: '  const input = readInput(',
      becomes: `  if (caller && endpoint.credits > 0) await house.credits.meter.charge(chargeFor(endpoint, caller, request.id))
  const input = readInput(`,
    },
  ],
  test: '400 and 405 never meet the meter',
  testFile: 'service/test/spec/http/credits.test.ts',
}

export const WINDOW_MOVES: SourceBug = {
  name: 'window that moves on refusals',
  file: 'service/src/api/admission/rate-window.ts',
  changes: [
    { text: 'local start = now - now % window\n', becomes: '' },
    {
      text: "'start', 'used')\n",
      becomes: `'start', 'used')
local start = tonumber(kept[1]) or now - now % window
if now >= start + window then start = now end
`,
    },
    {
      text: 'return { allowed,',
      becomes: `if allowed == 0 then
  start = now
  redis.call('HSET', KEYS[1], 'start', start, 'used', used)
  redis.call('EXPIREAT', KEYS[1], start + window + 1)
end
return { allowed,`,
    },
  ],
  test: 'refusals do not move the window',
  testFile: 'service/test/accounts/seeded-bugs/window.test.ts',
}

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = [
  'service',
  'tools',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'vitest.config.ts',
  'openapi.json',
]
const LEFT_OUT = new Set(['node_modules', 'dist'])
const MAX_RUN_MS = 100_000

interface Results {
  readonly passed: readonly string[]
  readonly failed: readonly { readonly name: string; readonly why: string }[]
}

/** Runs the tests that `noticed` names, in a copy of the repository that has the bug, or none. */
export async function runCopy(bug: SourceBug | undefined, noticed: readonly SourceBug[]): Promise<Results> {
  const copy = mkdtempSync(join(tmpdir(), 'vis-seeded-'))
  try {
    copyTo(copy)
    if (bug) change(join(copy, bug.file), bug)
    const pattern = noticed.map(({ test }) => test).join('|')
    return await runTests(copy, [...noticed.map(({ testFile }) => testFile), '--testNamePattern', pattern])
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 })
  }
}

function copyTo(copy: string): void {
  for (const name of COPIED) {
    cpSync(join(REPOSITORY, name), join(copy, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(basename(source)),
    })
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(copy, 'node_modules'))
}

function change(path: string, { name, changes }: SourceBug): void {
  const changed = changes.reduce(
    (source, { text, becomes }) => {
      if (source.split(text).length !== 2) throw new Error(`${name}: ${path} has not exactly one "${text}"`)
      return source.replace(text, () => becomes)
    },
    readFileSync(path, 'utf8'),
  )
  writeFileSync(path, changed)
}

async function runTests(copy: string, args: readonly string[]): Promise<Results> {
  const report = join(copy, 'report.json')
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [vitest, 'run', '--project', 'service', '--reporter', 'json', '--outputFile', report, ...args],
      {
        cwd: copy,
        timeout: MAX_RUN_MS,
        // Nothing of this run's own vitest may be inherited.
        env: { NO_COLOR: '1', TEST_DATABASE_URL: inject('database').serverUrl, TEST_REDIS_URL: inject('redisUrl') },
      },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    )
  })
  return resultsIn(report, output)
}

interface Assertion {
  readonly title: string
  readonly status: string
  readonly failureMessages?: readonly string[]
}

function resultsIn(report: string, output: string): Results {
  const { testResults }: { testResults: readonly { assertionResults: readonly Assertion[] }[] } = readReport(
    report,
    output,
  )
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    passed: all.filter(({ status }) => status === 'passed').map(({ title }) => title),
    failed: all
      .filter(({ status }) => status === 'failed')
      .map(({ title, failureMessages = [] }) => ({ name: title, why: failureMessages[0]?.split('\n', 1)[0] ?? '' })),
  }
}

function readReport(report: string, output: string) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch (error) {
    throw new Error(`the tests of the copy left no report:\n${output}`, { cause: error })
  }
}
