// What can stand after a command, for all shells.
import { type Command, type Flag, flagName } from '../command.ts'
import { COMMON_FLAGS } from '../common-flags.ts'

export interface FlagWord {
  readonly flag: string
  readonly about: string
  readonly takesValue: boolean
  /** Words with spaces are left out: shells would split them. */
  readonly values: readonly string[]
  readonly isFile: boolean
}

export function flagWords({ flags }: Command): readonly FlagWord[] {
  const all: readonly (readonly [string, Flag])[] = Object.entries({ ...flags, ...COMMON_FLAGS })
  return all.flatMap(([name, { kind, about, values = [] }]) => {
    const word = {
      flag: flagName(name),
      about,
      takesValue: kind === 'text' || kind === 'list',
      values: values.filter((value) => !value.includes(' ')),
      isFile: name === 'key_file',
    }
    return kind === 'truth' ? [word, { ...word, flag: flagName(`no_${name}`), about: `not: ${about}` }] : [word]
  })
}
