// Program "vis-server": runs the command that is named in the command line arguments.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { describeLogin, isPermissionDenied } from './commands/command-login.ts'
import { type CommandIo, createProcessIo } from './commands/io.ts'
import { ConfigError } from './config.ts'
import { UsageError } from './domain/usage-error.ts'

type LoadCommand = (io: CommandIo) => Promise<Command>

// The module of a command is loaded only when the command runs: a short command must not load the HTTP server.
const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  serve: async (io) => (await import('./commands/serve.ts')).serveCommand(io),
  worker: async (io) => (await import('./commands/worker.ts')).workerCommand(io),
  identity: async (io) => (await import('./commands/processes/identity.ts')).identityCommand(io),
  jobs: async (io) => (await import('./commands/jobs.ts')).jobsCommand(io),
  notify: async (io) => (await import('./commands/processes/notify.ts')).notifyCommand(io),
  sync: async (io) => (await import('./commands/sync.ts')).syncCommand(io),
  feeds: async (io) => (await import('./commands/feeds.ts')).feedsCommand(io),
  catalog: async (io) => (await import('./commands/catalog.ts')).catalogCommand(io),
  migrate: async (io) => (await import('./commands/migrate.ts')).migrateCommand(io),
  accounts: async (io) => (await import('./commands/accounts.ts')).accountsCommand(io),
  keys: async (io) => (await import('./commands/keys.ts')).keysCommand(io),
  members: async (io) => (await import('./commands/members.ts')).membersCommand(io),
  sessions: async (io) => (await import('./commands/sessions.ts')).sessionsCommand(io),
  audit: async (io) => (await import('./commands/audit.ts')).auditCommand(io),
  usage: async (io) => (await import('./commands/usage.ts')).usageCommand(io),
  demo: async (io) => (await import('./commands/demo/demo.ts')).demoCommand(io),
  openapi: async (io) => (await import('./commands/openapi.ts')).openapiCommand(io),
}

/** Internal commands, which are started by other commands. The help does not list them. */
const INTERNAL_COMMANDS: typeof COMMANDS = {
  'demo-postgres': async (io) => (await import('./commands/demo/postgres.ts')).demoPostgresCommand(io),
}

/** Names of errors whose message is enough for the operator. All other errors are printed with their stack trace. */
const EXPLAINED_ERRORS = new Set(['MigrationError', 'FeedError', 'EmbeddedPostgresError'])

/** Runs a command and returns the exit code. `argv` has the structure of process.argv. */
export async function main(argv: readonly string[], io: CommandIo = createProcessIo()): Promise<number> {
  try {
    const program = await createProgram(argv[2] ?? '', io)
    await program.parseAsync(argv)
  } catch (error) {
    // The library Commander has already printed its own errors and the help.
    if (error instanceof CommanderError) return error.exitCode
    io.stderr.write(`${await explainError(error, argv[2] ?? '')}\n`)
    return 1
  }
  return io.exitCode
}

/** Creates the program with only the named command, or with all commands if the name is unknown or missing. */
async function createProgram(name: string, io: CommandIo): Promise<Command> {
  const program = new Command('vis-server')
    .description('Vulnerability Intelligence Service: run and administer the server')
    .version(readVersion(), '-V, --version', 'Show the version of vis-server')
    .showHelpAfterError('(vis-server --help lists the commands)')
  const all = { ...COMMANDS, ...INTERNAL_COMMANDS }
  const named = Object.hasOwn(all, name) ? all[name] : undefined
  for (const load of named ? [named] : Object.values(COMMANDS)) program.addCommand(await load(io))
  configureCommand(program, io)
  return program
}

/** Reads the version from package.json, which is one folder above both src and dist. */
function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}

/**
 * Configures a command. The library Commander copies these settings only to commands that are created later, so they
 * are set on every command.
 */
function configureCommand(command: Command, io: CommandIo): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .helpOption('-h, --help', 'Show the help')
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show the help of a command')
  for (const child of command.commands) configureCommand(child, io)
}

async function explainError(error: unknown, commandName: string): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof UsageError || EXPLAINED_ERRORS.has(error.name))
    return error.message
  const code = 'code' in error ? String(error.code) : ''
  const message = error.message || code
  const stack = error.stack ?? message
  if (isPermissionDenied(error)) return `PostgreSQL refuses access (${message}). ${describeLogin(commandName)}`
  if (isListenError(error)) return LISTEN_ADVICE[code]?.(formatAddress(error)) ?? stack
  return CONNECT_ADVICE[code]?.(message) ?? ((await isDatabaseUnreachable(error)) ? adviseRetry(message) : stack)
}

/** Messages by error code for problems that the operator can fix. Such errors are printed without a stack trace. */
type Advice = Readonly<Record<string, (detail: string) => string>>

const LISTEN_ADVICE: Advice = {
  EADDRINUSE: (address) =>
    `${address} is in use. Choose another PORT, OPS_PORT or WORKER_OPS_PORT, or stop the program that uses it.`,
  EACCES: (address) =>
    `${address} is not allowed for this user. Choose ports of 1024 or higher (PORT, OPS_PORT, WORKER_OPS_PORT).`,
  EADDRNOTAVAIL: (address) => `${address} is not available. Set HOST and OPS_HOST to addresses of this computer.`,
}

const adviseHostName = (message: string) =>
  `A host name cannot be resolved (${message}). Check DATABASE_URL, the other settings and the DNS.`
const adviseLogin = (message: string) =>
  `PostgreSQL refuses the login (${message}). Check user and password in DATABASE_URL.`
const adviseMigration = (message: string) =>
  `The database schema is missing or not up to date (${message}). Run: vis-server migrate`
const adviseRetry = (message: string) =>
  `PostgreSQL is not available (${message}). Try again. If the error persists, check PostgreSQL's log and DATABASE_URL.`

const CONNECT_ADVICE: Advice = {
  ECONNREFUSED: (message) =>
    `PostgreSQL does not respond (${message}). Check that it runs and that DATABASE_URL is right.`,
  ENOTFOUND: adviseHostName,
  EAI_AGAIN: adviseHostName,
  '28P01': adviseLogin,
  '28000': adviseLogin,
  '3D000': (message) => `${message}. Create the database first, or run: vis-server migrate --create-database`,
  '42P01': adviseMigration,
  '3F000': adviseMigration,
}

async function isDatabaseUnreachable(error: Error): Promise<boolean> {
  const { classifyDatabaseError } = await import('./database/classify-error.ts')
  return classifyDatabaseError(error) === 'unreachable'
}

function isListenError(error: object): boolean {
  return 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind')
}

function formatAddress(error: object): string {
  const port = 'port' in error ? String(error.port) : '?'
  const host = 'address' in error ? String(error.address) : '?'
  return `Port ${port} on ${host}`
}
