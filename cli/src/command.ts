// Building blocks of the visctl commands. Each command is a Command object from the npm package commander, which drives
// parsing, help and shell completion.
import { Command, type Option } from 'commander'
import type { Client } from 'vis-sdk'
import type { Input, Terminal } from './render/terminal.ts'

/** Parsed options under commander's names for them: the value of `--key-file` is `keyFile`. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Dependencies that every visctl command receives. */
export interface Context {
  readonly terminal: Terminal
  readonly input: Input
  /** Sets the exit code of a command that ends without an error. */
  readonly setExitCode: (code: number) => void
  /** Creates a client from the options and the environment. Throws a UsageError if there is no API key. */
  readonly connect: (values: OptionValues) => Promise<Client>
}

interface CommandTexts {
  readonly name: string
  readonly summary: string
  readonly options: readonly Option[]
  readonly examples: readonly string[]
}

export function createCommand({ name, summary, options, examples }: CommandTexts): Command {
  const lines = examples.map((example) => `  ${example}`)
  const command = new Command(name).description(summary).addHelpText('after', ['', 'Examples:', ...lines].join('\n'))
  for (const option of options) command.addOption(option)
  return command
}

/** Error for wrong usage of the command line; visctl then exits with code 2. */
export class UsageError extends Error {
  /** Advice for the user, printed on its own line. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.name = 'UsageError'
    this.advice = advice
  }
}

/** Returns the command-line name of an API parameter, such as `--published-after`. */
export type NameParameter = (parameter: string) => string

/**
 * Any error in `visctl gate` or `visctl scan`; visctl then exits with code 2. In these commands, code 1 means that the
 * check found something.
 */
export class FailedCheck extends Error {
  /** Set if some parameters of this check are not command-line options: returns the name to show for a parameter. */
  readonly nameParameter: NameParameter | undefined

  constructor(cause: unknown, nameParameter?: NameParameter) {
    super('The check failed.', { cause })
    this.name = 'FailedCheck'
    this.nameParameter = nameParameter
  }
}

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
