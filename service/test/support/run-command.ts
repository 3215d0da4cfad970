// Runs a vis-server command in the test's own process. Starting a process would take most of the time of a short
// command.
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { main } from '../../src/main.ts'
import type { CommandOutcome } from './processes/command.ts'

/**
 * `environment` holds all settings of the command; variables of the test's own process are not used. `input` holds the
 * chunks of standard input.
 */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: Iterable<Buffer | string> = [],
): Promise<CommandOutcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const output = Promise.all([text(stdout), text(stderr)])
  // A terminal may set FORCE_COLOR for the test runner, which would color the captured output.
  vi.stubEnv('FORCE_COLOR', undefined)
  const stdin = Readable.from(input, { objectMode: false })
  const io = { stdin, stdout, stderr, readEnvironment: () => environment, exitCode: 0 }
  const code = await main(['node', 'vis-server', ...args], io).finally(() => {
    vi.unstubAllEnvs()
    stdout.end()
    stderr.end()
  })
  const [printed, notes] = await output
  return { code, stdout: printed, stderr: notes }
}
