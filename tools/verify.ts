// npm run verify: runs the CI steps, cheapest first. `npm run verify -- static build` runs single steps, and `npm run
// verify -- tests --shard 1/3` runs a third of the tests, for CI systems with parallel jobs.
import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

interface Step {
  readonly title: string
  readonly command: string
  /** Nightly steps run only if they are named on the command line. */
  readonly isNightly?: true
  /** Neighbouring steps with this mark run two at a time, because each of them leaves processors idle. */
  readonly isParallel?: true
  /** The step uses two processors, so it runs alongside another step only if there are more than two. */
  readonly usesTwoProcessors?: true
}

const ON_POSTGRES_18 = 'node tools/with-postgres-18.ts'

export const STEPS: Readonly<Record<string, Step>> = {
  static: { title: 'static checks', command: 'node tools/check.ts' },
  build: { title: 'build', command: 'npm run build' },
  packages: { title: 'packages for npm', command: 'node tools/check-packages.ts' },
  sbom: { title: 'SBOM', command: 'node tools/make-sbom.ts' },
  tests: {
    title: 'tests on the installed PostgreSQL',
    command: 'vitest run --project service',
    isParallel: true,
    usesTwoProcessors: true,
  },
  // The longest step after the tests comes first, to keep both processors busy. It uses the console built by the
  // step `build`; `npm run journeys` would build it again while servers of other steps read it.
  journeys: {
    title: 'journeys through the built console in a browser',
    command: 'vitest run --project journeys',
    isParallel: true,
  },
  'postgres-18': {
    title: 'migrations, roles and queries of the database on PostgreSQL 18',
    command: `${ON_POSTGRES_18} vitest run --project service service/test/database`,
    isParallel: true,
  },
  // The tests already call every endpoint on the installed PostgreSQL, so the suite uses the other version.
  conformance: {
    title: 'conformance suite on generated data, on PostgreSQL 18',
    command: `${ON_POSTGRES_18} npm run --silent conformance`,
    isParallel: true,
  },
  readme: { title: 'commands of README.md', command: 'node tools/check-readme.ts', isParallel: true },
  'postgres-18-all': {
    title: 'all tests of SQL on PostgreSQL 18',
    command: `${ON_POSTGRES_18} vitest run --project service ${['database', 'accounts', 'api', 'catalog', 'spec'].map((name) => `service/test/${name}`).join(' ')}`,
    isNightly: true,
  },
  regexes: {
    title: 'all regular expressions, without the record of earlier checks',
    command: 'node tools/check-regexes.ts --all',
    isNightly: true,
  },
  types: {
    title: 'types with the TypeScript compiler, which the static checks replace by a faster one',
    command: 'npm run --silent types',
    isNightly: true,
  },
  'node-22': {
    title: 'packages on the oldest supported Node',
    command: 'node tools/with-node.ts 22.12.0 vitest run --project lab lab/operations/packages.test.ts',
    isNightly: true,
  },
  benchmark: { title: 'benchmark at small size', command: 'node lab/bench/run.ts --quick', isNightly: true },
  long: { title: 'long suite', command: 'npm run test:long', isNightly: true },
}

/** The steps start hundreds of Node processes. Sharing compiled code saves each of them about 0.2 s. */
const ENVIRONMENT = {
  NODE_COMPILE_CACHE: join(dirname(import.meta.dirname), 'node_modules/.cache/compiled'),
  ...process.env,
}

function parseArguments(args: readonly string[]): { names: readonly string[]; options: readonly string[] } {
  const shard = args.indexOf('--shard')
  const options = shard === -1 ? [] : args.slice(shard)
  const named = shard === -1 ? args : args.slice(0, shard)
  const unknown = named.filter((name) => !(name in STEPS))
  if (unknown.length > 0)
    fail(`There is no step ${unknown.join(', ')}. The steps are ${Object.keys(STEPS).join(', ')}.`)
  if (options.length > 0 && named.join() !== 'tests') fail('--shard applies to the step "tests" only.')
  const daily = Object.keys(STEPS).filter((name) => !STEPS[name]?.isNightly)
  return { names: named.length > 0 ? named : daily, options }
}

const PROCESSORS = availableParallelism()

/**
 * Groups adjacent steps that run in parallel; every other step is a group of its own. On two processors, the tests run
 * alone: alongside another step, both would take as long as in sequence, and tests of timeouts would fail.
 */
export function groupSteps(names: readonly string[], processors: number): readonly (readonly string[])[] {
  const isParallel = (name = '') => STEPS[name]?.isParallel && (processors > 2 || !STEPS[name].usesTwoProcessors)
  const groups: string[][] = []
  for (const name of names) {
    const last = groups.at(-1)
    if (last && isParallel(name) && isParallel(last[0])) last.push(name)
    else groups.push([name])
  }
  return groups
}

/** Runs several steps, at most two at a time, and prints the output of each step when it ends. */
async function runInParallel(steps: readonly string[]): Promise<void> {
  /** Names of failed steps, with their outputs. */
  const failed = new Map<string, string>()
  const run = async (name: string, { title, command }: Step) => {
    const begun = performance.now()
    process.stdout.write(`\n=== ${title}: started\n`)
    const [program = '', ...args] = command.split(' ')
    const child = spawn(program, args, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
    const status = new Promise((resolve) => child.on('error', () => resolve(1)).on('close', resolve))
    const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
    process.stdout.write(`\n=== ${title}: ${command}\n${output}`)
    if ((await status) !== 0) failed.set(name, output)
    process.stdout.write(`=== ${title}: ${secondsSince(begun)} s\n`)
  }
  const waiting = [...steps]
  const runWaiting = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const step = STEPS[name]
      if (step) await run(name, step)
    }
  }
  await Promise.all(Array.from({ length: Math.min(PROCESSORS, 2) }, runWaiting))
  if (failed.size === 0) return
  for (const [name, output] of failed)
    process.stdout.write(`\n=== ${STEPS[name]?.title}: last lines of its output\n${takeLastLines(output)}\n`)
  const names = [...failed.keys()]
  const titles = names.map((name) => STEPS[name]?.title).join(', ')
  fail(`verify failed at: ${titles}. To run the failed steps alone: npm run verify -- ${names.join(' ')}`)
}

/** A failed step's output may be far above that of a longer step, so its last lines are repeated. */
const REPEATED_LINES = 60

function takeLastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-REPEATED_LINES).join('\n')
}

function runStep(name: string, stepOptions: readonly string[]): void {
  const step = STEPS[name]
  if (!step) return
  const begun = performance.now()
  const command = [step.command, ...stepOptions].join(' ')
  process.stdout.write(`\n=== ${step.title}: ${command}\n`)
  const [program = '', ...args] = command.split(' ')
  const { status } = spawnSync(program, args, { env: ENVIRONMENT, stdio: 'inherit' })
  if (status !== 0) fail(`verify failed at: ${step.title}. To run this step alone: npm run verify -- ${name}`)
  process.stdout.write(`=== ${step.title}: ${secondsSince(begun)} s\n`)
}

function fail(message: string): never {
  process.stderr.write(`\n${message}\n`)
  process.exit(1)
}

function secondsSince(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1)
}

if (import.meta.main) {
  const { names, options } = parseArguments(process.argv.slice(2))
  const started = performance.now()
  for (const group of groupSteps(names, PROCESSORS)) {
    const [first = ''] = group
    if (group.length > 1) await runInParallel(group)
    else runStep(first, options)
  }
  process.stdout.write(`\nverified ${names.join(', ')} in ${secondsSince(started)} s\n`)
}
