// Runs visctl against the real service, either in this process or as a process of its own.
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../../service/test/support/service.ts'
import { main } from '../src/main.ts'
import type { OutputStream } from '../src/render/terminal.ts'

/** Path of the executable file. */
export const VISCTL = fileURLToPath(new URL('../bin/visctl.js', import.meta.url))

type Environment = Readonly<Record<string, string | undefined>>
interface VisctlResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs visctl with arguments, environment variables and the text of standard input. */
type RunVisctl = (argv: readonly string[], env?: Environment, stdin?: string) => Promise<VisctlResult>

export interface VisctlSetup extends TestService {
  readonly url: string
  readonly key: string
  /** Runs visctl in this process. VIS_URL and VIS_API_KEY are those of the service, unless `env` overrides them. */
  readonly visctl: RunVisctl
  /** Runs visctl as a separate process, with VIS_URL and VIS_API_KEY of the service unless `env` overrides them. */
  readonly spawnVisctl: RunVisctl
}

export async function startVisctlSetup(settings: TestServiceOptions['environment'] = {}): Promise<VisctlSetup> {
  const service = await startTestService({ environment: settings })
  const { key } = await issueKey(service)
  const url = `http://127.0.0.1:${service.api.port}`
  const environment = { VIS_URL: url, VIS_API_KEY: key }
  return {
    ...service,
    url,
    key,
    visctl: (argv, env = {}, stdin = '') => runVisctl(argv, { ...environment, ...env }, stdin),
    spawnVisctl: (argv, env = {}, stdin = '') => runProgram(VISCTL, argv, { ...environment, ...env }, stdin),
  }
}

/** Creates an account with a key, and with the given number of remaining credits if there is one. */
export async function issueKey({ given }: TestService, creditsLeft?: number) {
  const key = createTestKey()
  const owner = account('pro').withKey(key)
  await given(creditsLeft === undefined ? owner : owner.withCreditsLeft(creditsLeft))
  return key
}

/** Runs visctl in the process of the test, which saves the start of a Node process per call. */
export async function runVisctl(argv: readonly string[], env: Environment, stdin = ''): Promise<VisctlResult> {
  const [stdout, stderr] = [createMemoryStream(), createMemoryStream()]
  const code = await main({ argv, env, stdin: Readable.from([stdin]), stdout, stderr })
  return { code, stdout: stdout.read(), stderr: stderr.read() }
}

function createMemoryStream(): OutputStream & { read(): string } {
  let written = ''
  return {
    write: (text, callback) => {
      written += text
      callback?.()
      return true
    },
    read: () => written,
  }
}

/** Runs a program with the Node of the test, or with another one. */
export function runProgram(
  program: string,
  argv: readonly string[],
  environment: Environment,
  stdin = '',
  node = process.execPath,
): Promise<VisctlResult> {
  const env = { PATH: process.env['PATH'], ...environment }
  return new Promise((resolve) => {
    const child = execFile(node, [program, ...argv], { env, timeout: 100_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
    child.stdin?.end(stdin)
  })
}
