// Runs the quickstart of README.md, word for word, against a database and ports of its own.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

const root = fileURLToPath(new URL('..', import.meta.url))
// Done by whoever runs this, or needing what is not everywhere.
const NOT_HERE = /^(npm ci|git clone|cd |docker )/
const WANTED = '"status":"ok"'

const script = quickstart(readFileSync(join(root, 'README.md'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'vis-readme-'))
copyFileSync(join(root, '.env.example'), join(folder, '.env.example'))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))

const serverUrl = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')
const database = `vis_readme_${process.pid}`
const [port, opsPort] = [await freePort(), await freePort()]
const env = {
  ...process.env,
  DATABASE_URL: new URL(`/${database}`, serverUrl).href,
  PORT: String(port),
  OPS_PORT: String(opsPort),
  DRAIN_DELAY_MS: '0',
}
// The server of the quickstart runs in the background: it ends with the shell.
const text = `set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)}\n`
const { stdout, stderr, status } = spawnSync('bash', ['-c', text], {
  cwd: folder,
  env,
  encoding: 'utf8',
  timeout: 120_000,
})
rmSync(folder, { recursive: true })
await drop()

if (status !== 0 || !stdout.includes(WANTED)) {
  process.stderr.write(
    `The quickstart of README.md does not work as written (exit code ${status}):\n${text}\n${stdout}\n${stderr}\n`,
  )
  process.exit(1)
}
process.stdout.write(
  `readme: the ${script.split('\n').length} lines of the quickstart ran and ended in an answer with ${WANTED}\n`,
)

function quickstart(readme: string): string {
  const section = readme.split(/^## /m).find((each) => each.startsWith('Quickstart'))
  const lines = [...(section ?? '').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'))
  if (lines.length < 4) throw new Error('README.md has no "## Quickstart" with ```sh blocks')
  return lines.filter((line) => !NOT_HERE.test(line)).join('\n')
}

async function drop(): Promise<void> {
  const client = new Client({ connectionString: serverUrl.href })
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
