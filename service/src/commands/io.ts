// Input and output of a command. The program uses the streams and the environment of its process; tests pass their own,
// so that they can run a command without starting a process.
import { type Config, type Environment, loadConfig, loadEnvironment } from '../config.ts'

/** Output stream that may be a terminal. */
interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface CommandIo {
  /** Results, for people and scripts. */
  readonly stdout: OutputStream
  /** Notes, progress and errors, so that scripts read results only from stdout. */
  readonly stderr: OutputStream
  /** Reads the settings when a command needs them: `--help` must work without any. */
  readonly readEnvironment: () => Environment
  /** Exit code of the process after the command. Commands set it to 1 when they printed an error and went on. */
  exitCode: number
}

export function createProcessIo(): CommandIo {
  return { stdout: process.stdout, stderr: process.stderr, readEnvironment: loadEnvironment, exitCode: 0 }
}

export function readConfig(io: CommandIo): Config {
  return loadConfig(io.readEnvironment())
}
