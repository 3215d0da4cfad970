// npm run check: runs the checks that need neither a database nor a network, as many at a time as there are processors.
import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

export interface Check {
  readonly name: string
  run(): Promise<Outcome>
}

export interface Outcome {
  readonly hasPassed: boolean
  readonly output: string
}

const ROOT = dirname(import.meta.dirname)

const ENVIRONMENT = {
  ...process.env,
  PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  // Without these two settings, Redocly sends usage statistics and looks for a newer version.
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

const SDK_TYPES = ['--immutable', '--output', 'sdk/src/generated/openapi.ts']

/**
 * The longest checks come first, to keep all processors busy. knip.json lists the packages that only this table uses.
 */
const CHECKS: readonly Check[] = [
  // oxlint reads the types of all files for its rules; it reports type errors at the cost of a few seconds more.
  command('types and lint', 'oxlint', '--type-aware', '--type-check', '--deny-warnings'),
  command('biome', 'biome', 'check', '--error-on-warnings', '.'),
  command('docs', process.execPath, 'tools/check-docs.ts'),
  command('regular expressions', process.execPath, 'tools/check-regexes.ts'),
  command('imports', process.execPath, 'tools/check-imports.ts'),
  command('unused code and dependencies', 'knip', '--no-progress', '--treat-config-hints-as-errors'),
  { name: 'openapi.json is current', run: checkOpenapi },
  command('sdk/src/generated/openapi.ts is current', 'openapi-typescript', 'openapi.json', ...SDK_TYPES, '--check'),
  command(
    'sdk/src/generated/vocabulary.ts is current',
    process.execPath,
    'tools/generate/write-vocabulary.ts',
    '--check',
  ),
  command(
    'sdk/src/generated/sources.ts is current',
    process.execPath,
    'tools/generate/write-sdk-sources.ts',
    '--check',
  ),
  command('docs/feeds.md is current', process.execPath, 'tools/generate/write-feeds.ts', '--check'),
  command('docs/priority-policy.md is current', process.execPath, 'tools/generate/write-priority-policy.ts', '--check'),
  command('names of members', process.execPath, 'tools/check-members.ts'),
  command('redocly', 'redocly', 'lint', 'openapi.json'),
  command('size of the console', process.execPath, 'tools/check-console-size.ts'),
  command('lockfile', process.execPath, 'tools/check-lockfile.ts'),
  command('squawk', 'squawk', 'service/migrations/**/*.sql'),
]

/** Prints one line per finished check, then the output of the failed checks. Returns true if all checks passed. */
export async function runChecks(
  checks: readonly Check[],
  concurrency: number,
  print: (line: string) => void,
): Promise<boolean> {
  const waiting = [...checks]
  const failed: { name: string; output: string }[] = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = performance.now()
      const { hasPassed, output } = await check.run()
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      print(
        `${hasPassed ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${check.name}${hasPassed ? summary(output) : ''}`,
      )
      if (!hasPassed) failed.push({ name: check.name, output })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  for (const { name, output } of failed) print(`\n=== ${name}\n${output.trim()}`)
  if (failed.length > 0)
    print(`\n${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`)
  return failed.length === 0
}

/**
 * Shows the summary line of each check in tools: its counts reveal a check that passed only because it read no file.
 */
function summary(output: string): string {
  const line = output.trim()
  return line === '' || line.includes('\n') || line.length > 100 ? '' : `  (${line})`
}

export function command(name: string, program: string, ...args: readonly string[]): Check {
  return { name, run: () => execute(program, args) }
}

function execute(program: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', ({ message }) =>
      resolve({ hasPassed: false, output: `${program} could not start (${message}). Run "npm ci" first.` }),
    )
    child.on('close', (code) =>
      // Some programs ignore NO_COLOR, so their colors are removed here.
      resolve({ hasPassed: code === 0, output: stripVTControlCharacters(Buffer.concat(chunks).toString()) }),
    )
  })
}

async function checkOpenapi(): Promise<Outcome> {
  const written = await readFile(join(ROOT, 'openapi.json'), 'utf8').catch(() => '')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['service/bin/vis-server.js', 'openapi'], {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    })
    if (stdout === written) return { hasPassed: true, output: '' }
  } catch (error) {
    return { hasPassed: false, output: String(error) }
  }
  return {
    hasPassed: false,
    output: 'openapi.json differs from the endpoint definitions. Run "npm run generate" and commit the result.',
  }
}

if (import.meta.main) {
  const hasPassed = await runChecks(CHECKS, availableParallelism(), console.log)
  if (!hasPassed) process.exitCode = 1
}
