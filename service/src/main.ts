// argv → command.
import { Command } from 'commander'
import { UsageError } from './commands/usage-error.ts'
import { ConfigError } from './config.ts'

// Loaded when asked for: a short command must not pay for the HTTP server.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  openapi: async () => (await import('./commands/openapi.ts')).openapiCommand(),
}

export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('vis-server')
    .description('Vulnerability Intelligence Service: the server and what its operators can ask of it.')
    .showHelpAfterError('(vis-server --help lists the commands)')
  const asked = COMMANDS[argv[2] ?? '']
  for (const load of asked ? [asked] : Object.values(COMMANDS)) program.addCommand(await load())
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = 1
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof UsageError || error.name === 'MigrationError')
    return error.message
  const code = 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED')
    return `PostgreSQL does not answer (${error.message || code}). Is it running, and is DATABASE_URL right?`
  if (code === '3D000') return `${error.message}. Create it first, or run: vis-server migrate --create-database`
  return error.stack ?? error.message
}
