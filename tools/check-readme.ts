// Runs the commands of README.md, word for word: the demonstration, and the quickstart against a database and ports of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { embeddedPackage } from '../service/src/database/embedded-postgres.ts'
import { freePort } from './free-port.ts'

interface Trial {
  readonly heading: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly port: number
  /** Some of the answer that the commands end in. */
  readonly wanted: string
  /** Called with all that was said so far, until it answers: what came of it. */
  conclude(said: string, hasEnded: boolean): string | undefined
}

const root = fileURLToPath(new URL('..', import.meta.url))
// Done by whoever runs this, or needing what is not everywhere.
const NOT_HERE = /^(npm ci|git clone|cd |docker )/
const PATIENCE_MS = 120_000
const LOOK_EVERY_MS = 100
const CTRL_C_WITHIN_MS = 30_000

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const serverUrl = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')
const database = `vis_readme_${process.pid}`

if (embeddedPackage() === undefined)
  process.stderr.write('SKIPPED: the demonstration of README.md, as no PostgreSQL of npm is installed here.\n')
else
  await check({
    heading: 'Try it in a minute',
    environment: { DATABASE_URL: undefined },
    port: await freePort(),
    wanted: '"cve_id":"CVE-2021-44228"',
    conclude: (said) => {
      // It goes on until it is stopped; what it says to try is tried.
      const [, curl] = /^ *(curl .+)\n/m.exec(said) ?? []
      return curl === undefined ? undefined : execFileSync('bash', ['-c', `${curl} --silent`], { encoding: 'utf8' })
    },
  })
await check({
  heading: 'Quickstart',
  environment: { DATABASE_URL: new URL(`/${database}`, serverUrl).href, OPS_PORT: '0' },
  port: await freePort(),
  wanted: '"status":"ok"',
  conclude: (said, hasEnded) => (hasEnded ? said : undefined),
})
await dropDatabase()

async function check(trial: Trial): Promise<void> {
  const { heading, wanted } = trial
  const lines = commandsUnder(heading)
  const words = `set -eu\n${lines.join('\n').replaceAll('127.0.0.1:3000', `127.0.0.1:${trial.port}`)}\n`
  const { output, leftBehind } = await run(words, trial)
  if (output.includes(wanted) && leftBehind.length === 0) {
    const what = `the ${lines.length} lines of "${heading}"`
    process.stdout.write(`readme: ${what} ran and ended in an answer with ${wanted}\n`)
    return
  }
  const left = leftBehind.length > 0 ? `\nIt left behind: ${leftBehind.join(', ')}` : ''
  process.stderr.write(`"${heading}" of README.md does not work as written:\n${words}\n${output}${left}\n`)
  process.exitCode = 1
}

function commandsUnder(heading: string): string[] {
  const section = readme.split(/^## /m).find((each) => each.startsWith(heading))
  const lines = [...(section ?? '').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'))
  const ours = lines.filter((line) => !NOT_HERE.test(line))
  if (ours.length === 0) throw new Error(`README.md has no "## ${heading}" with commands in \`\`\`sh blocks`)
  return ours
}

async function run(words: string, trial: Trial): Promise<{ output: string; leftBehind: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-readme-'))
  const [work, temporary] = [join(folder, 'work'), join(folder, 'temporary')]
  // PostgreSQL may run as another user, who must be able to pass.
  execFileSync('chmod', ['755', folder])
  for (const each of [work, temporary]) mkdirSync(each)
  for (const file of ['.env.example', 'package.json']) copyFileSync(join(root, file), join(work, file))
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'))
  const env = { ...process.env, PORT: String(trial.port), TMPDIR: temporary, ...trial.environment }
  const output = await sayAndConclude(words, { cwd: work, env }, trial)
  const leftBehind = readdirSync(temporary).filter((name) => name.startsWith('vis-'))
  rmSync(folder, { recursive: true, force: true })
  return { output, leftBehind }
}

async function sayAndConclude(
  words: string,
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  trial: Trial,
): Promise<string> {
  // A process group of its own: what the commands leave running ends with it, by the same signal as by Ctrl-C.
  const shell = spawn('bash', ['-c', words], { ...where, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise((resolve) => shell.once('close', resolve))
  const said = () => Buffer.concat(chunks).toString()
  let output: string | undefined
  for (let waited = 0; output === undefined && waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    output = trial.conclude(said(), shell.exitCode !== null)
    if (shell.exitCode !== null) break
  }
  endGroup(shell, 'SIGINT')
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CTRL_C_WITHIN_MS).unref())])
  endGroup(shell, 'SIGKILL')
  return output ?? said()
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-Number(pid), signal)
  } catch {
    // All of it has ended already.
  }
}

async function dropDatabase(): Promise<void> {
  const client = new Client({ connectionString: serverUrl.href })
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
}
