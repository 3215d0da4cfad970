import type { Command } from 'commander'
import type { RecentFilters } from 'vis-sdk'
import { PARAMETER_HELP, PRICES, recentCvesParameters } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { describeFilters, listOptions, PAGE_OPTIONS, RECENT_SELECTION, readFilters } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { printCves } from './cve-list.ts'
import { RECENT_VIEW, selectRow } from './cve-view.ts'
import { FILTER_GROUP } from './filters.ts'

const MAX_PAGE_SIZE = recentCvesParameters.limit.maximum

const FILTERS = describeFilters({
  parameters: recentCvesParameters,
  help: PARAMETER_HELP.recentCves,
  noun: 'CVEs',
  group: FILTER_GROUP,
  without: ['limit', 'after', 'fields', 'include'],
})

export function createRecentCommand(context: Context): Command {
  return createCommand({
    name: 'recent',
    summary: `List recently published or modified CVEs, newest first (${formatCredits(PRICES.recentCves)} per page of ${MAX_PAGE_SIZE})`,
    options: [...listOptions(FILTERS), ...PAGE_OPTIONS, ...listOptions(RECENT_SELECTION)],
    examples: [
      'visctl recent',
      'visctl recent --hours 6 --type published --severity critical',
      'visctl recent --days 7 --all --csv',
      'visctl recent --hours 1 --all --json --include events',
    ],
  }).action((values: OptionValues) =>
    printCves(context, values, {
      filters: readFilters<RecentFilters>([...FILTERS, ...RECENT_SELECTION], values),
      maxPageSize: MAX_PAGE_SIZE,
      listRecords: (client, filters) => client.recent(filters),
      listRows: (client, filters) => client.recent(selectRow(filters)),
      view: RECENT_VIEW,
    }),
  )
}
