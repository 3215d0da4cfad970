import type { Command } from 'commander'
import type { Change, ChangeFilters } from 'vis-sdk'
import { listChangesParameters, PARAMETER_HELP, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import { describeFilters, JSON_OPTION, listOptions, readFilters, SINCE_OPTION } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { type Column, renderTable } from '../render/table.ts'
import { formatJson } from '../render/text.ts'
import { readSince } from '../since.ts'
import { FILTER_GROUP } from './filters.ts'

const FILTERS = describeFilters({
  parameters: listChangesParameters,
  help: PARAMETER_HELP.listChanges,
  noun: 'changes of CVEs',
  group: FILTER_GROUP,
  without: ['since'],
})

export function createChangesCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'changes',
    summary: `List what changed since a time or a position (${formatCredits(PRICES.listChanges)})`,
    options: [SINCE_OPTION, ...listOptions(FILTERS), JSON_OPTION],
    examples: [
      'visctl changes --since yesterday --types kev_added,eu_kev_added',
      'visctl changes --since Monday --product-vendor fortinet',
      'visctl changes --since 263680:0f3a5c1d2b4e6f70 --wait 25 --json',
    ],
  })
    .argument('[since]', 'the same as --since')
    .action(async (position: string | undefined, values: OptionValues, command: Command) => {
      const text = position ?? values['since']
      if (typeof text !== 'string') throw new UsageError('Say since when: for example, --since yesterday.')
      if (position !== undefined && values['since'] !== undefined)
        throw new UsageError('Say since when only once: with --since, or without the option.')
      const client = await connect(values)
      const { since, isRelative } = await readSince(text, async () => new Date((await client.ping()).timestamp))
      const page = await client.changes(since, readFilters<ChangeFilters>(FILTERS, values))
      if (values['json'] === true) return terminal.write(formatJson(page))
      if (isRelative) terminal.printNote(`Published by the service since ${since} (days are UTC):\n`)
      await terminal.write(renderTable(terminal, CHANGE_COLUMNS, page.changes))
      const options = ['--since', page.next_since, ...listGiven(command)].map(quote).join(' ')
      terminal.printNote(`${page.has_more ? 'There are more. ' : ''}Continue with: visctl changes ${options}\n`)
    })
}

/** Lists the options on the command line except --since. */
function listGiven(command: Command): readonly string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (name === 'since' || command.getOptionValueSource(name) !== 'cli') return []
    if (typeof value === 'boolean') return value === !option.negate && option.long ? [option.long] : []
    return option.long ? [option.long, Array.isArray(value) ? value.join(',') : String(value)] : []
  })
}

/** Quotes a word for the shell if it needs that. */
const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

export const CHANGE_COLUMNS: readonly Column<Change>[] = [
  { title: 'RECORDED', text: ({ recorded_at }) => recorded_at },
  { title: 'HAPPENED', text: ({ at }) => at ?? '' },
  { title: 'CVE', text: ({ cve_id }) => cve_id ?? 'all', style: () => 'bold' },
  { title: 'TYPES', maxWidth: 60, text: ({ types }) => types.join(', ') },
  { title: 'OLD AND NEW', text: ({ diff }) => describeDiff(diff) },
]

export function describeDiff(diff: Change['diff']): string {
  return Object.entries(diff)
    .map(([member, values]) => `${member} ${formatValue(values?.old)} → ${formatValue(values?.new)}`)
    .join('; ')
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(',') || 'none'
  return typeof value === 'string' ? value : JSON.stringify(value ?? 'none').replaceAll('"', '')
}
