import type { RecentFilters } from '@vis/sdk'
import { type Command, type Flag, UsageError } from '../command.ts'
import { LIST_FLAGS, SELECTION_FLAGS } from '../common-flags.ts'
import { filtersOf } from '../filters.ts'
import { pageSize, printJson, printRows } from '../print-list.ts'
import { RECENT_VIEW, ROW_FIELDS } from './cve-view.ts'
import { SEVERITY_FLAG, STATUS_FLAG } from './filter-flags.ts'

const MAX_PAGE_SIZE = 500

const FILTERS = {
  hours: { kind: 'text', placeholder: 'N', about: 'how far to look back, 1 to 168; default 24' },
  days: { kind: 'text', placeholder: 'N', about: 'the same in days, up to 30' },
  type: { kind: 'text', values: ['published', 'modified', 'both'], about: 'what counts; default both' },
  severity: SEVERITY_FLAG,
  has_acsc: { kind: 'truth', about: 'with notices of the ACSC' },
  status: STATUS_FLAG,
} satisfies Record<Exclude<keyof RecentFilters, 'limit' | 'after' | 'fields' | 'include'>, Flag>

export const recent: Command = {
  name: 'recent',
  summary: 'What was published or modified lately, newest first (2 credits a page of 500)',
  flags: { ...FILTERS, ...LIST_FLAGS, ...SELECTION_FLAGS },
  examples: [
    'vis recent',
    'vis recent --hours 6 --type published --severity critical',
    'vis recent --days 7 --all --csv',
  ],
  run: async (invocation) => {
    const { values, client } = invocation
    const wanted = filtersOf<RecentFilters>({ ...FILTERS, ...SELECTION_FLAGS }, values)
    const filters = { ...wanted, limit: pageSize(values, MAX_PAGE_SIZE) }
    const vis = await client()
    if (values['json'] === true) return printJson(vis.recent(filters), invocation)
    if (values['fields'] ?? values['include']) throw new UsageError('--fields and --include shape --json only: add it.')
    return printRows(vis.recent({ ...filters, fields: ROW_FIELDS }), RECENT_VIEW, invocation)
  },
}
