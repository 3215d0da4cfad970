import type { Command } from 'commander'
import type { Change, ChangeFilters } from 'vis-sdk'
import { listChangesParameters, PARAMETER_HELP, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { describeFilters, JSON_OPTION, listOptions, readFilters } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { type Column, renderTable } from '../render/table.ts'
import { formatJson } from '../render/text.ts'
import { FILTER_GROUP } from './filters.ts'

const FILTERS = describeFilters({
  parameters: listChangesParameters,
  help: PARAMETER_HELP.listChanges,
  noun: 'changes',
  group: FILTER_GROUP,
  without: ['since'],
})

export function createChangesCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'changes',
    summary: `List what changed since a position (${formatCredits(PRICES.listChanges)})`,
    options: [...listOptions(FILTERS), JSON_OPTION],
    examples: [
      'visctl changes now',
      'visctl changes start --types kev_added,kev_removed',
      'visctl changes 263680:0f3a5c1d2b4e6f70 --wait 25 --json',
    ],
  })
    .argument('<since>', 'start, now, or the position that the last call printed')
    .action(async (since: string, values: OptionValues) => {
      const client = await connect(values)
      const page = await client.changes(since, readFilters<ChangeFilters>(FILTERS, values))
      if (values['json'] === true) return terminal.write(formatJson(page))
      await terminal.write(renderTable(terminal, CHANGE_COLUMNS, page.changes))
      terminal.printNote(`${page.has_more ? 'There are more. ' : ''}Continue with: visctl changes ${page.next_since}\n`)
    })
}

export const CHANGE_COLUMNS: readonly Column<Change>[] = [
  { title: 'AT', text: ({ at }) => at },
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
