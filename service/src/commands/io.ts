// Input and output of a command. The program uses the streams and the environment of its process; tests pass their own
// streams and environment, so that they can run a command without starting a process.
import { type Config, type Environment, loadConfig, loadEnvironment } from '../config.ts'

interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream & AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  /** Stream for notes, progress and errors, so that stdout contains only results. */
  readonly stderr: OutputStream
  /** Reads the settings only when a command needs them: `--help` must work without any settings. */
  readonly readEnvironment: () => Environment
  /** Exit code of the process after the command. Commands set it to 1 when they printed an error and continued. */
  exitCode: number
}

export function createProcessIo(): CommandIo {
  const { stdin, stdout, stderr } = process
  for (const stream of [stdout, stderr]) stream.on('error', endIfReaderIsGone)
  return { stdin, stdout, stderr, readEnvironment: loadEnvironment, exitCode: 0 }
}

/** If the reader of the output, such as `head`, has ended, exits with code 1 and without a stack trace. */
function endIfReaderIsGone(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') process.exit(1)
  throw error
}

export function readConfig(io: CommandIo): Config {
  return loadConfig(io.readEnvironment())
}
