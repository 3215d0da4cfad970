import type { Command } from 'commander'
import type { KevEntry, KevFilters } from 'vis-sdk'
import { listKevParameters, PARAMETER_HELP, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { describeFilters, listOptions, PAGE_OPTIONS, readFilters } from '../options.ts'
import { choosePageSize, type ListView, printJsonList, printRows } from '../print-list.ts'
import { formatCredits } from '../render/credits.ts'
import { FILTER_GROUP } from './filters.ts'

const MAX_PAGE_SIZE = listKevParameters.limit.maximum

const FILTERS = describeFilters({
  parameters: listKevParameters,
  help: PARAMETER_HELP.listKev,
  noun: 'KEV entries',
  group: FILTER_GROUP,
  without: ['limit', 'after'],
})

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
    options: [...listOptions(FILTERS), ...PAGE_OPTIONS],
    examples: [
      'visctl kev',
      'visctl kev --vendor microsoft --ransomware',
      'visctl kev --due-date-after 2026-01-01 --all --csv',
    ],
  }).action(async (values: OptionValues) => {
    const client = await connect(values)
    const filters = { ...readFilters<KevFilters>(FILTERS, values), limit: choosePageSize(values, MAX_PAGE_SIZE) }
    return values['json'] === true
      ? printJsonList(client.kev(filters), values, terminal)
      : printRows(client.kev(filters), VIEW, values, terminal)
  })
}
