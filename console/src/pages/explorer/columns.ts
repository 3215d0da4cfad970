// The columns of the list.
import { listExploitation } from './exploitation.ts'
import { listProducts } from './products.ts'
import { listDecidingFacts } from './reasons.ts'
import { hasNamedFix, type Row } from './row.ts'

export interface ColumnSpec {
  readonly label: string
  /** Header of the column, if it has space for more than the label. */
  readonly header?: string
  /** Name of the API's sort order: `epss` for epss_desc and epss_asc. */
  readonly sort?: 'level' | 'severity' | 'epss' | 'published' | 'modified'
  /** Whether the shown value falls while the API's value rises, as an age does. */
  readonly isInverse?: boolean
  readonly isNumeric?: boolean
  /** Width in pixels. A column without a width shares the space that the others leave. */
  readonly width?: number
  /** Width in a list that has little space. */
  readonly narrowWidth?: number
  /** A column without a value in any loaded row is hidden, unless the list is sorted by it. */
  readonly hasValue: (row: Row) => boolean
}

/** In the order of the table. The name and the summary come after the level, and are always shown. */
export const COLUMNS = {
  priority: {
    label: 'Level',
    sort: 'level',
    width: 72,
    narrowWidth: 64,
    hasValue: ({ priority }) => Boolean(priority?.level),
  },
  products: {
    label: 'Product',
    width: 170,
    hasValue: (row) => listProducts(row).length > 0,
  },
  exploitation: {
    label: 'Exploitation',
    width: 152,
    narrowWidth: 116,
    hasValue: (row) => listExploitation(row).length > 0,
  },
  epss: {
    label: 'EPSS',
    header: 'EPSS, 90 days',
    sort: 'epss',
    isNumeric: true,
    width: 116,
    narrowWidth: 100,
    hasValue: ({ epss }) => epss !== undefined,
  },
  severity: {
    label: 'CVSS',
    sort: 'severity',
    width: 78,
    hasValue: ({ severity }) => typeof severity === 'number',
  },
  fix: {
    label: 'Fix',
    width: 84,
    narrowWidth: 76,
    hasValue: (row) => hasNamedFix(row),
  },
  state: {
    label: 'State',
    width: 124,
    narrowWidth: 58,
    hasValue: ({ triage = [] }) => triage.length > 0,
  },
  reasons: { label: 'Why this level', hasValue: (row) => listDecidingFacts(row).length > 0 },
  exploited: { label: 'In KEV since', width: 100, hasValue: ({ kev }) => kev !== undefined },
  vector: {
    label: 'Attack',
    width: 88,
    hasValue: ({ enrichment }) => Boolean(enrichment?.attack_vector),
  },
  status: { label: 'Status in NVD', width: 132, hasValue: ({ status }) => Boolean(status) },
  modified: {
    label: 'Modified',
    sort: 'modified',
    width: 100,
    hasValue: ({ modified }) => Boolean(modified),
  },
  published: {
    label: 'Age',
    sort: 'published',
    isInverse: true,
    isNumeric: true,
    width: 70,
    narrowWidth: 64,
    hasValue: ({ published }) => Boolean(published),
  },
} as const satisfies Readonly<Record<string, ColumnSpec>>

export type ColumnId = keyof typeof COLUMNS

// The cast is safe: the keys of the table are the ids of the columns.
export const COLUMN_IDS = Object.keys(COLUMNS) as readonly ColumnId[]

export const DEFAULT_COLUMNS: readonly ColumnId[] = [
  'priority',
  'products',
  'exploitation',
  'epss',
  'fix',
  'state',
  'published',
]
