import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { NameKind, Suggestion } from 'vis-sdk'
import { suggestParameters } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { JSON_OPTION, OUTPUT_GROUP } from '../options.ts'
import { type Column, renderTable } from '../render/table.ts'
import { formatJson } from '../render/text.ts'

const KINDS = Object.keys(suggestParameters.of.words)

const MAX_NAMES = suggestParameters.limit.maximum

const OPTIONS: readonly Option[] = [
  new Option('--limit <n>', `Maximum number of names, 1 to ${MAX_NAMES} (default: 10)`)
    .argParser(parseLimit)
    .helpGroup(OUTPUT_GROUP),
  JSON_OPTION,
]

const COLUMNS: readonly Column<Suggestion>[] = [
  { title: 'CVES', align: 'right', text: ({ count }) => count.toLocaleString('en') },
  { title: 'NAME', text: ({ value }) => value, style: () => 'bold' },
  { title: '', text: ({ vendor, title }) => vendor ?? title ?? '' },
]

export function createSuggestCommand({ terminal, connect, setExitCode }: Context): Command {
  return createCommand({
    name: 'suggest',
    summary: 'Suggest names for filters, also for misspelt ones (free)',
    options: OPTIONS,
    examples: ['visctl suggest product forti', 'visctl suggest vendor micorsoft', 'visctl suggest cwe "sql injection"'],
  })
    .addArgument(new Argument('<kind>', 'Kind of the names').choices(KINDS))
    .argument('<text...>', 'Beginning of a name, or words of the title of a weakness or technique')
    .action(async (kind: NameKind, words: readonly string[], values: OptionValues) => {
      const client = await connect(values)
      const { limit } = values
      // parseLimit returns a number.
      const names = await client.suggest(kind, words.join(' '), limit === undefined ? {} : { limit: limit as number })
      if (values['json'] === true) return terminal.write(formatJson(names))
      if (names.length > 0) return terminal.write(renderTable(terminal, COLUMNS, names))
      terminal.printNote('No name begins with this text or resembles it.\n')
      setExitCode(1)
    })
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d{1,2}$/.test(text) || limit < 1 || limit > MAX_NAMES)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_NAMES}.`)
  return limit
}
