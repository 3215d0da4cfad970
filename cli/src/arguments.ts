// From words to a command, its operands and flags; what makes no sense is refused with what was probably meant.
import { parseArgs } from 'node:util'
import { type Command, type Flags, type FlagValues, flagName, UsageError } from './command.ts'
import { COMMON_FLAGS } from './common-flags.ts'
import { nearest } from './nearest.ts'

export interface Parsed {
  readonly values: FlagValues
  readonly operands: readonly string[]
}

const KEY_FLAG = /^--?(api-?)?key(=|$)/

export function parseFor(command: Command, words: readonly string[]): Parsed {
  refuseKeys(words)
  const flags = { ...command.flags, ...COMMON_FLAGS }
  refuseTruthValues(command, flags, words)
  const { values, positionals } = parse(command.name, flags, words)
  const named = Object.keys(flags).map((name) => [name, splitList(values[name.replaceAll('_', '-')])] as const)
  if (values['help'] !== true) checkOperands(command, positionals)
  return { values: Object.fromEntries(named), operands: positionals }
}

/** Before anything else: it must not even be repeated in a message. */
function refuseKeys(words: readonly string[]): void {
  if (words.some((word) => KEY_FLAG.test(word))) {
    throw new UsageError(
      'A key on the command line can be read by everybody on this machine, and stays in the history of the shell.',
      'Set VIS_API_KEY, or write it into a file and name that with --key-file. If you just typed a real one, have it replaced.',
    )
  }
}

function parse(command: string, flags: Flags, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { kind }]) => [
      name.replaceAll('_', '-'),
      kind === 'truth' || kind === 'switch'
        ? { type: 'boolean' as const, ...(name === 'help' ? { short: 'h' } : {}) }
        : { type: 'string' as const, multiple: kind === 'list' },
    ]),
  )
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    throw new UsageError(complaint(error, command, Object.keys(flags)), `vis ${command} --help lists its flags.`)
  }
}

const TRUTH_VALUE = /^(true|false|yes|no|on|off|0|1)$/i

/** Whoever knows `kev=true` of the HTTP interface writes `--kev true`: that would search for the word "true". */
function refuseTruthValues({ operands }: Command, flags: Flags, words: readonly string[]): void {
  const end = words.indexOf('--')
  for (const [at, word] of words.slice(0, end === -1 ? undefined : end).entries()) {
    const [given = '', value = words[at + 1] ?? ''] = word.split('=', 2)
    const name = Object.keys(flags).find((each) => [flagName(each), negated(each)].includes(given))
    if (name === undefined || (!word.includes('=') && !TRUTH_VALUE.test(value))) continue
    const { kind } = flags[name] ?? {}
    if (kind === 'truth') {
      throw new UsageError(
        `${given} takes no value, so not "${value}".`,
        `${flagName(name)} means true, ${negated(name)} means false; without either it does not matter.${operands ? ' Words to search for come before the flags.' : ''}`,
      )
    }
    if (kind === 'switch') {
      throw new UsageError(`${given} takes no value, so not "${value}".`, `${flagName(name)} alone turns it on.`)
    }
  }
}

function negated(name: string): string {
  return `--no-${name.replaceAll('_', '-')}`
}

function complaint(error: unknown, command: string, names: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = /^Unknown option '(.+?)'/.exec(message)?.[1]
  if (unknown === undefined) return message
  const guess = nearest(unknown, names.map(flagName))
  return `vis ${command} has no flag ${unknown}${guess ? `; did you mean ${guess}?` : '.'}`
}

/** `--severity critical,high --severity low` is a list of three. */
function splitList(value: FlagValues[string] | readonly (string | boolean)[]): FlagValues[string] {
  if (typeof value !== 'object') return value
  return value.flatMap((each) => String(each).split(',')).filter((each) => each !== '')
}

function checkOperands({ name, operands }: Command, given: readonly string[]): void {
  const { fewest, most, placeholder } = operands ?? { fewest: 0, most: 0, placeholder: '' }
  if (given.length < fewest) throw new UsageError(`vis ${name} needs ${placeholder}.`, `vis ${name} --help shows how.`)
  if (given.length > most) {
    throw new UsageError(
      most === 0 ? `vis ${name} takes flags only, not "${given[0]}".` : `vis ${name} takes one ${placeholder} only.`,
      `vis ${name} --help shows how.`,
    )
  }
}
