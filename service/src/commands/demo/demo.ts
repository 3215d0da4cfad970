// "npm run demo": the whole service on a sample of real facts, with nothing installed beforehand and nothing left behind.
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { createAccount } from '../../accounts/administer-accounts.ts'
import { storeKey } from '../../accounts/administer-keys.ts'
import { issueKey } from '../../accounts/api-key.ts'
import { listAccounts } from '../../accounts/read-accounts.ts'
import { type Config, loadConfig, loadEnvironment } from '../../config.ts'
import { MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../database/migrate.ts'
import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/usage-error.ts'
import { createLog } from '../../log.ts'
import { stopSignal } from '../../runtime/stop-signal.ts'
import { changeAccounts } from '../account-operation.ts'
import { chooseClock } from '../input/clock-option.ts'
import { remark, say } from '../output/print.ts'
import { remarksOn } from '../output/sync.ts'
import { publishNow } from '../publish-now.ts'
import { type Manners, serve } from '../serve.ts'
import { sync } from '../sync.ts'
import { openDemoDatabase } from './database.ts'
import { demoText } from './text.ts'

/** Beside src in a checkout and beside dist when installed. */
const SAMPLE = fileURLToPath(new URL('../../../sample', import.meta.url))
/** When the sample was taken. The demonstration begins then, or nothing in it would be recent. */
const SAMPLE_TIME = '2026-08-21T18:00:00Z'
const ACCOUNT = 'demo'
/** All sources may be asked, and nobody tries out a million calls. */
const TERMS = { plan: 'enterprise', limitHalf: 2_000_000 } as const

export function demoCommand(): Command {
  return new Command('demo')
    .description('try everything on a sample of 100 well-known CVEs, with a PostgreSQL of its own and without Redis')
    .option('--keep <directory>', 'keep its data there, and go on with what is there already')
    .action(async ({ keep }: { keep?: string }) => {
      const stop = stopSignal()
      // npm passes on a Ctrl-C that the terminal has sent already; a second one must not cut the cleaning up short.
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => {})
      await demo(loadEnvironment(), keep, stop.signal)
    })
}

type Environment = ReturnType<typeof loadEnvironment>

async function demo(environment: Environment, keep: string | undefined, signal: AbortSignal): Promise<void> {
  remark('Starting PostgreSQL …')
  const database = await openDemoDatabase(environment['DATABASE_URL'], keep)
  try {
    const config = demoConfig(environment, database.url)
    const clock = chooseClock(config, SAMPLE_TIME)
    remark(`Loading the sample into ${database.where} …`)
    await load(config, clock, signal)
    const key = await keyOf(config)
    const onServing = (port: number) => say(demoText({ host: config.http.host, port, key, keep, began: SAMPLE_TIME }))
    signal.throwIfAborted()
    await serveSomewhere(config, clock, { onServing, stopped: () => untilAborted(signal) })
  } catch (error) {
    // Whoever stops it while it begins is not told that it was stopped.
    if (!signal.aborted) throw error
  } finally {
    remark('Cleaning up …')
    await database.end()
  }
}

/** Only where to listen is taken from the user's settings: what they say of a real service is not for a demonstration. */
function demoConfig(environment: Environment, url: string): Config {
  return loadConfig({
    HOST: environment['HOST'],
    PORT: environment['PORT'],
    NODE_ENV: 'development',
    DATABASE_URL: url,
    OPS_PORT: '0',
    DRAIN_DELAY_MS: '0',
    // Deadlines are for production: a laptop that is busy with something else gets more time.
    CHARGE_DEADLINE_MS: '5000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
  })
}

/** By the feeds and the publisher, like everything that is ever served. */
async function load(config: Config, clock: Clock, signal: AbortSignal): Promise<void> {
  for (const set of MIGRATION_SETS) {
    signal.throwIfAborted()
    await migrate(config.database.ownerUrl, set, MIGRATIONS_FOLDER)
  }
  signal.throwIfAborted()
  const reports = await sync(config, [], { from: SAMPLE }, clock)
  signal.throwIfAborted()
  if (reports.some(({ outcome, rejected }) => outcome !== 'succeeded' || rejected > 0))
    throw new UsageError(`The sample could not be taken over:\n${remarksOn(reports).join('\n')}`)
  await publishNow(config, clock, signal)
}

/** A demonstration that was kept has its account already; keys are shown once, so it gets a new one. */
function keyOf(config: Config): Promise<string> {
  const issued = issueKey('test')
  return changeAccounts(async (operation) => {
    const known = (await listAccounts(operation.tx)).find(({ name }) => name === ACCOUNT)
    await storeKey(operation, known?.id ?? (await createAccount(operation, ACCOUNT, TERMS)), issued, undefined)
    return issued.key
  }, config)
}

/** Where the settings say; or anywhere, if somebody else is there, such as another demonstration. */
async function serveSomewhere(config: Config, clock: Clock, rest: Omit<Manners, 'log'>): Promise<void> {
  const manners = { ...rest, log: createLog('error') }
  try {
    await serve(config, clock, manners)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    remark(`Port ${config.http.port} is taken: the demo takes another one.`)
    await serve({ ...config, http: { ...config.http, port: 0 } }, clock, manners)
  }
}

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('a signal')
    else signal.addEventListener('abort', () => resolve('a signal'), { once: true })
  })
}
