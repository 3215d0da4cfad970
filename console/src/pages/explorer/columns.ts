// The columns of the list, and the members of a CVE that each column needs.
import type { Field, ListedCve } from 'vis-sdk'

/** A listed CVE with every member that a column or the CSV file may show. */
export type Row = Partial<ListedCve<Field>> & { readonly cve_id: string }

export interface ColumnSpec {
  readonly label: string
  readonly fields: readonly Field[]
  /** Name of the API's sort order: `epss` for epss_desc and epss_asc. */
  readonly sort?: 'priority' | 'severity' | 'epss' | 'published' | 'modified'
  /** Width of the column in a table with fixed layout. Text columns without a width share the remaining space. */
  readonly width: string
}

export const COLUMNS = {
  priority: { label: 'Priority', fields: ['priority'], sort: 'priority', width: 'w-20' },
  severity: { label: 'CVSS', fields: ['severity', 'cvss'], sort: 'severity', width: 'w-18' },
  products: { label: 'Product', fields: ['cpe', 'kev'], width: 'w-36' },
  summary: { label: 'Summary', fields: ['description'], width: '' },
  reasons: { label: 'Why this priority', fields: ['priority'], width: '' },
  epss: { label: 'EPSS', fields: ['epss'], sort: 'epss', width: 'w-27' },
  exploited: { label: 'In KEV since', fields: ['kev'], width: 'w-31' },
  published: { label: 'Published', fields: ['published'], sort: 'published', width: 'w-24' },
  modified: { label: 'Modified', fields: ['modified'], sort: 'modified', width: 'w-24' },
  status: { label: 'Status', fields: ['status'], width: 'w-36' },
  vector: { label: 'Attack', fields: ['enrichment'], width: 'w-24' },
  exploit: { label: 'Exploit', fields: ['enrichment'], width: 'w-28' },
  fix: { label: 'Fix', fields: ['enrichment'], width: 'w-28' },
} as const satisfies Readonly<Record<string, ColumnSpec>>

export type ColumnId = keyof typeof COLUMNS

// The cast is safe: the keys of the table are the ids of the columns.
export const COLUMN_IDS = Object.keys(COLUMNS) as readonly ColumnId[]

export const DEFAULT_COLUMNS: readonly ColumnId[] = [
  'priority',
  'severity',
  'products',
  'summary',
  'epss',
  'exploited',
  'published',
]

/** Members that every row needs, even on a phone and in the CSV file. */
const ALWAYS: readonly Field[] = [
  'cve_id',
  'published',
  'modified',
  'description',
  'severity',
  'cvss',
  'status',
  'cpe',
  'kev',
  'epss',
  'priority',
]

export function listFields(columns: readonly ColumnId[]): readonly Field[] {
  return [...new Set([...ALWAYS, ...columns.flatMap((id): readonly Field[] => COLUMNS[id].fields)])]
}
