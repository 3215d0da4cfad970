// Runs the shell commands of README.md exactly as written: the demo, and the quickstart with a separate database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { findEmbeddedPackage } from '../service/src/database/embedded-postgres.ts'
import { freePort } from './free-port.ts'

interface Trial {
  readonly heading: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly port: number
  /** Text that the final output of the commands must contain. */
  readonly expected: string
  /** Called repeatedly with the output that the commands have printed so far, until it returns the final output. */
  finish(output: string, hasEnded: boolean): string | undefined
}

const root = fileURLToPath(new URL('..', import.meta.url))
// Commands in the README that are skipped because the caller has already run them or because they need Docker.
const SKIPPED_COMMANDS = /^(npm ci|git clone|cd |docker )/
const TRIAL_TIMEOUT_MS = 300_000
const POLL_INTERVAL_MS = 100
const STOP_TIMEOUT_MS = 30_000

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const serverUrl = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres')
const database = `vis_readme_${process.pid}`

if (findEmbeddedPackage() === undefined)
  process.stderr.write(
    'SKIPPED: the demo of README.md, because the npm package with PostgreSQL is not installed for this platform.\n',
  )
else
  await check({
    heading: 'Try it in a minute',
    environment: { DATABASE_URL: undefined },
    port: await freePort(),
    expected: '"cve_id":"CVE-2021-44228"',
    finish: (output) => {
      // The demo runs until it is stopped. It prints a curl command, which this check runs.
      const [, curl] = /^ *(curl .+)\n/m.exec(output) ?? []
      return curl === undefined ? undefined : execFileSync('bash', ['-c', `${curl} --silent`], { encoding: 'utf8' })
    },
  })
await check({
  heading: 'Quickstart',
  environment: { DATABASE_URL: new URL(`/${database}`, serverUrl).href, OPS_PORT: '0' },
  port: await freePort(),
  expected: '"cve_id":"CVE-2021-44228"',
  finish: (output, hasEnded) => (hasEnded ? output : undefined),
})
await dropDatabase()

async function check(trial: Trial): Promise<void> {
  const { heading, expected } = trial
  const lines = readCommands(heading)
  const script = `set -eu\n${lines.join('\n').replaceAll('127.0.0.1:3000', `127.0.0.1:${trial.port}`)}\n`
  const { output, leftBehind } = await run(script, trial)
  if (output.includes(expected) && leftBehind.length === 0) {
    const what = `the ${lines.length} lines of "${heading}"`
    process.stdout.write(`readme: ${what} ran and printed ${expected}\n`)
    return
  }
  const left = leftBehind.length > 0 ? `\nThe commands left these folders behind: ${leftBehind.join(', ')}` : ''
  process.stderr.write(`The section "${heading}" of README.md does not work as written:\n${script}\n${output}${left}\n`)
  process.exitCode = 1
}

function readCommands(heading: string): string[] {
  const section = readme.split(/^## /m).find((each) => each.startsWith(heading))
  const lines = [...(section ?? '').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'))
  const ours = lines.filter((line) => !SKIPPED_COMMANDS.test(line))
  if (ours.length === 0) throw new Error(`README.md has no "## ${heading}" with commands in \`\`\`sh blocks`)
  return ours
}

async function run(script: string, trial: Trial): Promise<{ output: string; leftBehind: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'vis-readme-'))
  const [work, temporary] = [join(folder, 'work'), join(folder, 'temporary')]
  // PostgreSQL may run as another user, which needs access to the folder.
  execFileSync('chmod', ['755', folder])
  for (const each of [work, temporary]) mkdirSync(each)
  for (const file of ['.env.example', 'package.json', 'tsconfig.base.json'])
    copyFileSync(join(root, file), join(work, file))
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'))
  // The demo builds the console. It builds a copy, because other checks may be using the repository's built console.
  cpSync(join(root, 'console'), join(work, 'console'), { recursive: true, filter: (path) => basename(path) !== 'dist' })
  const env = { ...process.env, PORT: String(trial.port), TMPDIR: temporary, ...trial.environment }
  const output = await runScript(script, { cwd: work, env }, trial)
  const leftBehind = readdirSync(temporary).filter((name) => name.startsWith('vis-'))
  rmSync(folder, { recursive: true, force: true })
  return { output, leftBehind }
}

async function runScript(
  script: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  trial: Trial,
): Promise<string> {
  // The shell gets its own process group, so that SIGINT also reaches processes that the commands leave running.
  const shell = spawn('bash', ['-c', script], { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise((resolve) => shell.once('close', resolve))
  const readOutput = () => Buffer.concat(chunks).toString()
  let output: string | undefined
  for (let waited = 0; output === undefined && waited < TRIAL_TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    output = trial.finish(readOutput(), shell.exitCode !== null)
    if (shell.exitCode !== null) break
  }
  signalGroup(shell, 'SIGINT')
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())])
  signalGroup(shell, 'SIGKILL')
  return output ?? readOutput()
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-Number(pid), signal)
  } catch {
    // The processes of the group have already ended.
  }
}

async function dropDatabase(): Promise<void> {
  const client = new Client({ connectionString: serverUrl.href })
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
}
