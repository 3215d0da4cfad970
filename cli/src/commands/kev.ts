import { type Command, Option } from 'commander'
import type { KevEntry, KevFilters, KevHistoryEntry, KevHistoryFilters } from 'vis-sdk'
import { listKevHistoryParameters, listKevParameters, PARAMETER_HELP, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { describeFilters, listOptions, OUTPUT_GROUP, PAGE_OPTIONS, readFilters } from '../options.ts'
import { choosePageSize, type ListView, printJsonList, printRows } from '../print-list.ts'
import { formatCredits } from '../render/credits.ts'
import { FILTER_GROUP } from './filters.ts'

const MAX_PAGE_SIZE = listKevParameters.limit.maximum
const MAX_HISTORY_PAGE_SIZE = listKevHistoryParameters.limit.maximum

const FILTERS = describeFilters({
  parameters: listKevParameters,
  help: PARAMETER_HELP.listKev,
  noun: 'KEV entries',
  group: FILTER_GROUP,
  without: ['limit', 'after'],
})

const HISTORY_FILTERS = describeFilters({
  parameters: listKevHistoryParameters,
  help: PARAMETER_HELP.listKevHistory,
  noun: 'entries',
  group: 'History:',
  without: ['limit', 'after'],
})

const HISTORY_OPTION = new Option(
  '--history',
  `List every entry that KEV has or had instead, with its changes (${formatCredits(PRICES.listKevHistory)} per page)`,
).helpGroup(OUTPUT_GROUP)

const HISTORY: ListView<KevHistoryEntry> = {
  columns: [
    { title: 'CVE', text: ({ cve_id }) => cve_id },
    { title: 'ADDED', text: ({ added_at }) => added_at },
    { title: 'REMOVED', text: ({ removed_at }) => removed_at?.slice(0, 'YYYY-MM-DD'.length) ?? '' },
    { title: 'CHANGES', align: 'right', text: ({ history }) => String(history.length) },
    { title: 'NAME', text: ({ entry }) => entry.vulnerabilityName },
  ],
  csv: [
    { title: 'cve_id', value: ({ cve_id }) => cve_id },
    { title: 'added_at', value: ({ added_at }) => added_at },
    { title: 'removed_at', value: ({ removed_at }) => removed_at },
    { title: 'changes', value: ({ history }) => history.length },
    { title: 'name', value: ({ entry }) => entry.vulnerabilityName },
  ],
}

/** Narrower tables leave out the product, because most entry names contain it. */
const MIN_PRODUCT_WIDTH = 110

const VIEW: ListView<KevEntry> = {
  columns: [
    { title: 'CVE', text: ({ cveId }) => cveId, style: () => 'bold' },
    { title: 'ADDED', text: ({ dateAdded }) => dateAdded },
    { title: 'DUE', text: ({ dueDate }) => dueDate ?? '-' },
    {
      title: 'RANSOMWARE',
      text: ({ knownRansomware }) => (knownRansomware ? 'yes' : ''),
      style: () => ['bold', 'red'],
    },
    { title: 'VENDOR', text: ({ vendorProject }) => vendorProject },
    { title: 'PRODUCT', minTableWidth: MIN_PRODUCT_WIDTH, maxWidth: 24, text: ({ product }) => product },
    { title: 'NAME', text: ({ vulnerabilityName }) => vulnerabilityName },
  ],
  csv: [
    { title: 'cve_id', value: ({ cveId }) => cveId },
    { title: 'date_added', value: ({ dateAdded }) => dateAdded },
    { title: 'due_date', value: ({ dueDate }) => dueDate },
    { title: 'known_ransomware', value: ({ knownRansomware }) => knownRansomware },
    { title: 'vendor', value: ({ vendorProject }) => vendorProject },
    { title: 'product', value: ({ product }) => product },
    { title: 'name', value: ({ vulnerabilityName }) => vulnerabilityName },
    { title: 'description', value: ({ shortDescription }) => shortDescription },
    { title: 'required_action', value: ({ requiredAction }) => requiredAction },
    { title: 'notes', value: ({ notes }) => notes },
  ],
}

export function createKevCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'kev',
    summary: `List known exploited vulnerabilities, newest first (${formatCredits(PRICES.listKev)} per page of ${MAX_PAGE_SIZE})`,
    options: [HISTORY_OPTION, ...listOptions(FILTERS), ...listOptions(HISTORY_FILTERS), ...PAGE_OPTIONS],
    examples: [
      'visctl kev',
      'visctl kev --history --removed',
      'visctl kev --vendor microsoft --ransomware',
      'visctl kev --due-date-after 2026-01-01 --all --csv',
    ],
  }).action(async (values: OptionValues) => {
    const client = await connect(values)
    if (values['history'] === true) {
      const filters = readFilters<KevHistoryFilters>(HISTORY_FILTERS, values)
      const listing = client.kevHistory({ ...filters, limit: choosePageSize(values, MAX_HISTORY_PAGE_SIZE) })
      return values['json'] === true
        ? printJsonList(listing, values, terminal)
        : printRows(listing, HISTORY, values, terminal)
    }
    const filters = { ...readFilters<KevFilters>(FILTERS, values), limit: choosePageSize(values, MAX_PAGE_SIZE) }
    return values['json'] === true
      ? printJsonList(client.kev(filters), values, terminal)
      : printRows(client.kev(filters), VIEW, values, terminal)
  })
}
