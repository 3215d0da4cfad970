// Lists the options of a command with the data that shell completion needs.
import type { Command } from 'commander'

export interface CompletionOption {
  /** Long form of the option, such as `--key-file`. */
  readonly flag: string
  readonly description: string
  readonly takesValue: boolean
  /** Allowed values of the option, except those with spaces, because shells would split them. */
  readonly values: readonly string[]
  readonly isFile: boolean
}

export function listCompletionOptions(command: Command): readonly CompletionOption[] {
  const options = command.createHelp().visibleOptions(command)
  return options.map(({ long, flags, description, required, argChoices = [] }) => ({
    flag: long ?? '',
    description,
    takesValue: required,
    values: argChoices.filter((value) => !value.includes(' ')),
    isFile: flags.endsWith('<file>'),
  }))
}

/** Returns the allowed values of the command's argument, such as the shells that `visctl completion` accepts. */
export function listArgumentValues(command: Command): readonly string[] {
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
}

/** Returns whether the command's argument is a file. */
export function takesFile(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.name() === 'file')
}
