import type { KevEntry, KevFilters } from '@vis/sdk'
import type { Command, Flag } from '../command.ts'
import { LIST_FLAGS } from '../common-flags.ts'
import { filtersOf } from '../filters.ts'
import { type ListView, pageSize, printJson, printRows } from '../print-list.ts'

const MAX_PAGE_SIZE = 500

const FILTERS = {
  vendor: { kind: 'text', placeholder: 'NAME', about: "part of the vendor's name" },
  product: { kind: 'text', placeholder: 'NAME', about: "part of the product's name" },
  ransomware: { kind: 'truth', about: 'known to be used in ransomware campaigns' },
  due_date_after: { kind: 'text', placeholder: 'DATE', about: 'due on this day or later' },
  due_date_before: { kind: 'text', placeholder: 'DATE', about: 'due on this day or earlier' },
} satisfies Record<Exclude<keyof KevFilters, 'limit' | 'after'>, Flag>

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

export const kev: Command = {
  name: 'kev',
  summary: 'Known exploited vulnerabilities, newest first (1 credit a page of 500)',
  flags: { ...FILTERS, ...LIST_FLAGS },
  examples: ['vis kev', 'vis kev --vendor microsoft --ransomware', 'vis kev --due-date-after 2026-01-01 --all --csv'],
  run: async (invocation) => {
    const { values, client } = invocation
    const vis = await client()
    const filters = { ...filtersOf<KevFilters>(FILTERS, values), limit: pageSize(values, MAX_PAGE_SIZE) }
    return values['json'] === true
      ? printJson(vis.kev(filters), invocation)
      : printRows(vis.kev(filters), VIEW, invocation)
  },
}
