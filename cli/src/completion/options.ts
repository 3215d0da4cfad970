// Options of a command as shell completion needs them.
import type { Command } from 'commander'

export interface CompletionOption {
  /** Long form, such as `--key-file`. */
  readonly flag: string
  readonly description: string
  readonly takesValue: boolean
  /** Allowed values. Values with spaces are left out, because shells would split them. */
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

/** Returns the allowed values of the command's argument, such as the shells of `completion`. */
export function listArgumentValues(command: Command): readonly string[] {
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
}
