// Entry point of visctl, the command-line client of the service.
import { CommanderError } from 'commander'
import { type Explanation, explain } from './explain.ts'
import { buildProgram } from './program.ts'
import { rejectBooleanValues, rejectKeys } from './reject-arguments.ts'
import { type Environment, type InputStream, type OutputStream, openInput, openTerminal } from './render/terminal.ts'
import { cleanBlock, cleanLine } from './render/text.ts'
import { connect, readSettings } from './settings.ts'

export interface Invocation {
  /** Command-line arguments without the program name. */
  readonly argv: readonly string[]
  readonly env: Environment
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
}

const EXIT_USAGE = 2

/**
 * Runs a command. Returns 0 for success, 1 if the service rejects the call or is unreachable, and 2 for wrong usage.
 * `visctl gate` has different exit codes: see GATE_EXIT_CODES.
 */
export async function main({ argv, env, stdin, stdout, stderr }: Invocation): Promise<number> {
  const terminal = openTerminal(env, stdout, stderr)
  let settings = readSettings({}, env)
  let exitCode = 0
  const program = buildProgram({
    terminal,
    input: openInput(stdin),
    setExitCode: (code) => {
      exitCode = code
    },
    connect: (values) => {
      settings = readSettings(values, env)
      return connect(values, env, terminal)
    },
  })
  try {
    rejectKeys(argv)
    const [name, ...words] = argv
    const command = program.commands.find((each) => each.name() === name)
    if (command) rejectBooleanValues(command, words)
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    // commander has already printed the error message. For wrong usage, commander uses exit code 1 and visctl uses 2.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
    const explanation = explain(error, settings, terminal.now)
    terminal.printNote(formatExplanation(explanation))
    return explanation.exitCode
  }
}

/** Removes control characters from an error message, because the message may quote text from the service. */
function formatExplanation({ message, reason, advice }: Explanation): string {
  const lines = [`error: ${cleanLine(message)}`, ...(reason ? [reason] : []), ...(advice ? [cleanLine(advice)] : [])]
  return `${cleanBlock(lines.join('\n'))}\n`
}
