// The command `demo` runs the whole service with sample data. It needs no installed database and removes its data at
// the end.
import { join } from 'node:path'
import { Registry } from '@prometheus-io/client'
import { Command, InvalidArgumentError } from 'commander'
import { createAccount } from '../../accounts/administer-accounts.ts'
import { createAccountKey } from '../../accounts/keys/account-keys.ts'
import { issueKey } from '../../accounts/keys/api-key.ts'
import { actFor } from '../../accounts/keys/credential.ts'
import { listAccounts } from '../../accounts/read-accounts.ts'
import { makeSnapshot } from '../../catalog/snapshot/make.ts'
import { type Config, type Environment, loadConfig } from '../../config.ts'
import { findConsoleFolder } from '../../console/files.ts'
import { MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../database/migrate.ts'
import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/usage-error.ts'
import { storeDataSets } from '../../feeds/engine/data-sets.ts'
import { createLog } from '../../log.ts'
import { startIdentity } from '../../runtime/identity/identity.ts'
import { createIdentityMetrics } from '../../runtime/identity/metrics.ts'
import { listenForStop } from '../../runtime/stop-signal.ts'
import { changeAccounts } from '../account-operation.ts'
import { dateChanges } from '../input/change-times.ts'
import { chooseClock } from '../input/clock-option.ts'
import { SAMPLE_FOLDER } from '../input/sample.ts'
import type { CommandIo } from '../io.ts'
import { formatHeading, printLine, printNote } from '../output/print.ts'
import { describeReports } from '../output/sync.ts'
import { publishNow, withCatalogSession } from '../publish-now.ts'
import { type ServeOptions, type Stop, serve } from '../serve.ts'
import { sync } from '../sync.ts'
import { openDemoDatabase } from './database.ts'
import { buildDemoText } from './text.ts'

/** Date of the sample data. The demo's clock starts at this date; otherwise no CVE of the sample would be recent. */
const SAMPLE_TIME = '2026-08-21T18:00:00Z'
/** Some CVEs as they were two days earlier. They are loaded first, so that the demo has changes to show. */
const EARLIER_FOLDER = join(SAMPLE_FOLDER, 'earlier')
const EARLIER_FEED = 'nvd'
const EARLIER_TIME = '2026-08-19T18:00:00Z'
const ACCOUNT_NAME = 'demo'
/** Hosts that only the user's own computer can reach. On other hosts, /docs does not show the demo's key. */
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost']
/** This plan may use every endpoint, and a demo cannot use up a million credits. */
const ACCOUNT_PLAN = { plan: 'enterprise', limitHalf: 2_000_000 } as const

export function demoCommand(io: CommandIo): Command {
  return new Command('demo')
    .description('Try the whole service with 100 well-known CVEs, with its own PostgreSQL and without Redis')
    .option('--keep <directory>', 'Keep the data in a directory, or continue with the data that is there')
    .option('--port <port>', 'Port of the service (default: PORT, or 3000; any free port if it is in use)', parsePort)
    .action(async ({ keep, port }: { keep?: string; port?: string }) => {
      const stop = listenForStop()
      // On Ctrl-C the terminal sends SIGINT, and npm then forwards a second SIGINT. The second one must not interrupt
      // the clean-up.
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => {})
      await runDemo(io, { keep, port }, stop.signal)
    })
}

interface DemoOptions {
  readonly keep: string | undefined
  readonly port: string | undefined
}

function parsePort(text: string): string {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a port: a whole number from 0 to 65535.')
  return text
}

async function runDemo(io: CommandIo, { keep, port: wanted }: DemoOptions, signal: AbortSignal): Promise<void> {
  const environment = io.readEnvironment()
  printNote(io, 'Starting PostgreSQL …')
  const database = await openDemoDatabase(environment['DATABASE_URL'], keep)
  try {
    const config = createDemoConfig({ ...environment, ...(wanted !== undefined && { PORT: wanted }) }, database.url)
    const clock = chooseClock(config, SAMPLE_TIME)
    printNote(io, `Loading the sample into ${database.location} …`)
    await migrateAll(config, signal)
    if (database.isNew)
      await loadFiles(io, config, { folder: EARLIER_FOLDER, feeds: [EARLIER_FEED], time: EARLIER_TIME, signal })
    await loadFiles(io, config, { folder: SAMPLE_FOLDER, feeds: [], time: SAMPLE_TIME, signal })
    await withCatalogSession(config, (session) => makeSnapshot({ session, clock, signal }))
    const key = await issueDemoKey(config)
    signal.throwIfAborted()
    await serveWithSignIn(io, config, clock, {
      referenceKey: LOOPBACK_HOSTS.includes(config.http.host) ? key : undefined,
      waitForStop: () => waitForAbort(signal),
      onServing: (port) => {
        const hasConsole = findConsoleFolder() !== undefined
        const facts = { host: config.http.host, port, key, keep, clockStart: SAMPLE_TIME, hasConsole }
        printLine(
          io,
          buildDemoText(facts, (text) => formatHeading(io, text)),
        )
      },
    })
  } catch (error) {
    // If the user stopped the demo while it was starting, the error is only a consequence and is not shown.
    if (!signal.aborted) throw error
  } finally {
    printNote(io, 'Cleaning up …')
    await database.close()
  }
}

/** Uses only HOST, PORT and the console's limits from the environment: other settings may belong to a real service. */
function createDemoConfig(environment: Environment, url: string): Config {
  return loadConfig({
    HOST: environment['HOST'],
    PORT: environment['PORT'],
    CONSOLE_READS_PER_MINUTE: environment['CONSOLE_READS_PER_MINUTE'],
    CONSOLE_READS_PER_DAY: environment['CONSOLE_READS_PER_DAY'],
    NODE_ENV: 'development',
    DATABASE_URL: url,
    OPS_PORT: '0',
    DRAIN_DELAY_MS: '0',
    CONSOLE_KEY_SIGN_IN: 'on',
    // The production timeouts for charges are too short for a laptop that is busy with other programs.
    CHARGE_DEADLINE_MS: '5000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
  })
}

async function migrateAll(config: Config, signal: AbortSignal): Promise<void> {
  for (const set of MIGRATION_SETS) {
    signal.throwIfAborted()
    await migrate(config.database.ownerUrl, set, MIGRATIONS_FOLDER)
  }
  await storeDataSets(config.database.ownerUrl)
}

interface LoadOptions {
  readonly folder: string
  /** All feeds if empty. */
  readonly feeds: readonly string[]
  readonly time: string
  readonly signal: AbortSignal
}

async function loadFiles(io: CommandIo, config: Config, options: LoadOptions): Promise<void> {
  const { folder, feeds, time, signal } = options
  const clock = chooseClock(config, time)
  signal.throwIfAborted()
  const reports = await sync(config, feeds, { from: folder }, { clock, screen: io.stderr })
  signal.throwIfAborted()
  // The sample has no CSAF documents.
  if (reports.some(({ outcome, rejected }) => !['succeeded', 'absent'].includes(outcome) || rejected > 0))
    throw new UsageError(`The sample could not be imported:\n${describeReports(reports).join('\n')}`)
  await publishNow(config, { clock, signal, screen: io.stderr })
  await withCatalogSession(config, ({ db }) => dateChanges(db, time))
}

/** A demo that keeps its data gets a new key at each start, because a key cannot be shown again. */
function issueDemoKey(config: Config): Promise<string> {
  const issued = issueKey('test')
  return changeAccounts(config, async (operation) => {
    const existing = (await listAccounts(operation.tx)).find(({ name }) => name === ACCOUNT_NAME)
    const accountId = existing?.id ?? (await createAccount(operation, ACCOUNT_NAME, ACCOUNT_PLAN))
    const terms = { name: 'demo', scopes: ['read', 'manage', 'watch', 'triage'] }
    await createAccountKey(operation.tx, actFor(operation, accountId), issued, terms)
    return issued.key
  })
}

/** Also runs the sign-in process, so that invitation links work in the demo. */
async function serveWithSignIn(...parameters: Parameters<typeof serveOnFreePort>): Promise<void> {
  const metrics = createIdentityMetrics(new Registry())
  const identity = startIdentity(parameters[1], { log: createLog('error'), metrics })
  try {
    await serveOnFreePort(...parameters)
  } finally {
    await identity.stop()
  }
}

/** Uses any free port if the configured one is in use, for example by another demo. */
async function serveOnFreePort(
  io: CommandIo,
  config: Config,
  clock: Clock,
  options: Omit<ServeOptions, 'log'>,
): Promise<void> {
  const withLog = { ...options, log: createLog('error') }
  try {
    await serve(config, clock, withLog)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    printNote(io, `Port ${config.http.port} is in use: the demo uses another port.`)
    await serve({ ...config, http: { ...config.http, port: 0 } }, clock, withLog)
  }
}

function waitForAbort(signal: AbortSignal): Promise<Stop> {
  const stop: Stop = { reason: 'a signal', isUrgent: false }
  return new Promise((resolve) => {
    if (signal.aborted) resolve(stop)
    else signal.addEventListener('abort', () => resolve(stop), { once: true })
  })
}
