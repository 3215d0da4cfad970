import type { Command } from 'commander'
import type { RecentFilters } from 'vis-sdk'
import { PRICES, recentCvesParameters } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import {
  createFilters,
  listOptions,
  type OptionFactory,
  PAGE_OPTIONS,
  RECENT_SELECTION,
  readFilters,
  valueOption,
} from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { printCves } from './cve-list.ts'
import { RECENT_VIEW, ROW_FIELDS } from './cve-view.ts'
import { FILTER_GROUP, SHARED_FILTERS } from './filters.ts'

const MAX_PAGE_SIZE = recentCvesParameters.limit.maximum

// Filters of `visctl recent`. The code does not compile if a filter that the service accepts is missing in this table.
const FILTERS = createFilters(
  {
    hours: valueOption('n', 'Look back this many hours, 1 to 168 (default: 24)'),
    days: valueOption('n', 'Look back this many days instead of hours, up to 30'),
    type: valueOption('type', 'Kind of change to list (default: both)', ['published', 'modified', 'both']),
    ...SHARED_FILTERS,
  } satisfies Record<Exclude<keyof RecentFilters, 'limit' | 'after' | 'fields' | 'include'>, OptionFactory>,
  FILTER_GROUP,
)

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
      listRows: (client, filters) => client.recent({ ...filters, fields: ROW_FIELDS }),
      view: RECENT_VIEW,
    }),
  )
}
