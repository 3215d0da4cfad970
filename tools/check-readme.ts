// Runs the quickstart of README.md, word for word, against a database and ports of its own.
import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// Done by whoever runs this, or needing what is not everywhere.
const NOT_HERE = /^(npm ci|git clone|cd |docker )/
const WANTED = '"status":"ok"'
const PATIENCE_MS = 120_000

const script = quickstart(readFileSync(join(root, 'README.md'), 'utf8'))
const serverUrl = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')
const database = `vis_readme_${process.pid}`
const port = await freePort()
const words = `set -eu\n${script.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)}\n`
const { code, output } = await run(words)
await dropDatabase()

if (code !== 0 || !output.includes(WANTED)) {
  process.stderr.write(
    `The quickstart of README.md does not work as written (exit code ${code}):\n${words}\n${output}\n`,
  )
  process.exitCode = 1
} else {
  process.stdout.write(
    `readme: the ${script.split('\n').length} lines of the quickstart ran and ended in an answer with ${WANTED}\n`,
  )
}

function quickstart(readme: string): string {
  const section = readme.split(/^## /m).find((each) => each.startsWith('Quickstart'))
  const lines = [...(section ?? '').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'))
  if (lines.length < 4) throw new Error('README.md has no "## Quickstart" with ```sh blocks')
  return lines.filter((line) => !NOT_HERE.test(line)).join('\n')
}

async function run(words: string): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-readme-'))
  for (const file of ['.env.example', 'package.json']) copyFileSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const env = {
    ...process.env,
    DATABASE_URL: new URL(`/${database}`, serverUrl).href,
    PORT: String(port),
    OPS_PORT: '0',
  }
  // A process group of its own: the server that the quickstart leaves running in the background ends with it.
  const shell = spawn('bash', ['-c', words], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const endGroup = () => process.kill(-Number(shell.pid), 'SIGKILL')
  const timer = setTimeout(endGroup, PATIENCE_MS)
  const output = Promise.all([textOf(shell.stdout), textOf(shell.stderr)])
  const code = await new Promise<number>((resolve) => {
    shell.once('exit', (status) => resolve(status ?? 1))
  })
  clearTimeout(timer)
  endGroup()
  rmSync(folder, { recursive: true })
  return { code, output: (await output).join('\n') }
}

async function dropDatabase(): Promise<void> {
  const client = new Client({ connectionString: serverUrl.href })
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
}
