// Checks the raw arguments for mistakes that commander would accept, or would report in a message that reveals a
// secret.
import type { Command } from 'commander'
import { UsageError } from './command.ts'

const KEY_OPTION = /^--?(api-?)?key(=|$)/

/**
 * Rejects an API key among the arguments. Runs before commander, because its error for an unknown option would show the
 * key.
 */
export function rejectKeys(argv: readonly string[]): void {
  if (argv.some((word) => KEY_OPTION.test(word))) {
    throw new UsageError(
      'An API key on the command line is visible to every user of this machine and stays in the shell history.',
      'Set VIS_API_KEY, or write the key to a file and pass --key-file FILE. If you just typed a real key, have it replaced.',
    )
  }
}

const BOOLEAN_TEXT = /^(true|false|yes|no|on|off|0|1)$/i

/** Rejects a value after a boolean option: commander would treat "true" in `--kev true` as a search word. */
export function rejectBooleanValues(command: Command, words: readonly string[]): void {
  const end = words.indexOf('--')
  for (const [at, word] of words.slice(0, end === -1 ? undefined : end).entries()) {
    const [flag = '', value = words[at + 1] ?? ''] = word.split('=', 2)
    const option = command.options.find(({ long, required }) => long === flag && !required)
    if (option && (word.includes('=') || BOOLEAN_TEXT.test(value))) {
      throw new UsageError(`${flag} takes no value, but "${value}" was given.`, adviseOnBoolean(command, flag))
    }
  }
}

function adviseOnBoolean(command: Command, flag: string): string {
  const positive = flag.replace(/^--no-/, '--')
  const negative = positive.replace('--', '--no-')
  if (!command.options.some(({ long }) => long === negative)) return `Write ${flag} alone.`
  const words = command.registeredArguments.length > 0 ? ' Write words to search for before the options.' : ''
  return `${positive} means true and ${negative} means false. Without either, the filter is off.${words}`
}
