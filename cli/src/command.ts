// Building blocks of the visctl commands. Each command is a Command object of the npm package commander. Parsing, help
// and shell completion read this object.
import { Command, type Option } from 'commander'
import type { Client } from 'vis-sdk'
import type { Input, Terminal } from './render/terminal.ts'

/** Parsed options under the names that commander gives them: the value of `--key-file` is `keyFile`. */
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

/** Error for wrong usage of the command line, for which visctl exits with code 2. */
export class UsageError extends Error {
  /** Advice for the user, printed on its own line. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.name = 'UsageError'
    this.advice = advice
  }
}

/** Returns the name of an API parameter on the command line, such as `--published-after`. */
export type NameParameter = (parameter: string) => string

/**
 * Any error of `visctl gate` and `visctl scan`, for which visctl exits with code 2. Their code 1 means that the check
 * found something.
 */
export class FailedCheck extends Error {
  /** Names the parameters of this check, if they are not all options. */
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
