// argv → command.
import { Command } from 'commander'
import { ConfigError } from './config.ts'
import { UsageError } from './domain/usage-error.ts'

// Loaded when asked for: a short command must not pay for the HTTP server.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  worker: async () => (await import('./commands/worker.ts')).workerCommand(),
  sync: async () => (await import('./commands/sync.ts')).syncCommand(),
  feeds: async () => (await import('./commands/feeds.ts')).feedsCommand(),
  catalog: async () => (await import('./commands/catalog.ts')).catalogCommand(),
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  usage: async () => (await import('./commands/usage.ts')).usageCommand(),
  demo: async () => (await import('./commands/demo/demo.ts')).demoCommand(),
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand(),
}

/** Not for people: shown in no list. */
const INTERNAL: typeof COMMANDS = {
  'demo-postgres': async () => (await import('./commands/demo/postgres.ts')).demoPostgresCommand(),
}

/** Errors of the floors below whose message is all that an operator needs. */
const EXPLAINED = new Set(['MigrationError', 'FeedError', 'EmbeddedPostgresError'])

const LEFT_OPEN_MS = 1000

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('vis-server')
    .description('Vulnerability Intelligence Service: the server and what its operators can ask of it.')
    .showHelpAfterError('(vis-server --help lists the commands)')
  const name = argv[2] ?? ''
  const known = { ...COMMANDS, ...INTERNAL }
  const asked = Object.hasOwn(known, name) ? known[name] : undefined
  for (const load of asked ? [asked] : Object.values(COMMANDS)) program.addCommand(await load())
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.stderr.write(`${await explain(error)}\n`)
    process.exitCode = 1
    // Only while something that the failure left open keeps the process alive.
    setTimeout(() => process.exit(), LEFT_OPEN_MS).unref()
  }
}

async function explain(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof UsageError || EXPLAINED.has(error.name)) return error.message
  const code = 'code' in error ? String(error.code) : ''
  const what = error.message || code
  const stack = error.stack ?? what
  if (isOfListening(error)) return LISTEN_ADVICE[code]?.(address(error)) ?? stack
  return CONNECT_ADVICE[code]?.(what) ?? ((await isPassing(error)) ? notNow(what) : stack)
}

/** What the operator can put right, by the code of the error: shown without a stack. */
type Advice = Readonly<Record<string, (what: string) => string>>

const LISTEN_ADVICE: Advice = {
  EADDRINUSE: (where) => `${where} is taken: choose another PORT, OPS_PORT or WORKER_OPS_PORT, or stop whoever has it.`,
  EACCES: (where) => `${where} is not for this user: choose ports of 1024 or more (PORT, OPS_PORT, WORKER_OPS_PORT).`,
  EADDRNOTAVAIL: (where) => `${where} cannot be listened on: is HOST or OPS_HOST an address of this machine?`,
}

const unknownHost = (what: string) =>
  `A host name cannot be resolved (${what}). Check it in DATABASE_URL and the other settings, and the DNS.`
const badLogin = (what: string) => `PostgreSQL refuses the login (${what}). Check user and password in DATABASE_URL.`
const unmigrated = (what: string) => `The database is not set up, or not up to date (${what}). Run: vis-server migrate`

const CONNECT_ADVICE: Advice = {
  ECONNREFUSED: (what) => `PostgreSQL does not answer (${what}). Is it running, and is DATABASE_URL right?`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  '28P01': badLogin,
  '28000': badLogin,
  '3D000': (what) => `${what}. Create it first, or run: vis-server migrate --create-database`,
  '42P01': unmigrated,
  '3F000': unmigrated,
}

const notNow = (what: string) =>
  `PostgreSQL cannot be used just now (${what}). Try again; if it stays so, look at its log and at DATABASE_URL.`

async function isPassing(error: Error): Promise<boolean> {
  const { classifyDatabaseError } = await import('./database/classify-error.ts')
  return classifyDatabaseError(error) === 'unreachable'
}

function isOfListening(error: object): boolean {
  return 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind')
}

function address(error: object): string {
  const port = 'port' in error ? String(error.port) : '?'
  const host = 'address' in error ? String(error.address) : '?'
  return `Port ${port} on ${host}`
}
