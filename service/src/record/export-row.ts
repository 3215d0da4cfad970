// The columns of an exported list of CVEs, and the values of a CVE in them.
import type { CveField } from '../contract/record/cve-fields.ts'
import type { CsvValue } from '../domain/csv.ts'

/** Members of the listed form, from which the columns are filled. */
export const EXPORT_FIELDS = [
  'cve_id',
  'published',
  'modified',
  'description',
  'severity',
  'status',
  'kev',
  'epss',
  'priority',
  'fixes',
] as const satisfies readonly CveField[]

export const EXPORT_ADD_ONS = ['priority', 'fixes'] as const

interface Fix {
  readonly product: string
  readonly version: string
  readonly downstream?: true
}

/** A CVE as the list has it with these members. */
export interface ExportRecord {
  readonly cve_id: string
  readonly published: string | null
  readonly modified: string
  readonly description: string | null
  readonly severity: number | null
  readonly status: string
  readonly kev?: { readonly dateAdded: string; readonly dueDate: string; readonly knownRansomware: boolean }
  readonly epss?: { readonly score: number; readonly percentile: number }
  readonly priority?: { readonly level: string } | null
  readonly fixes?: readonly Fix[]
  readonly fixes_omitted?: number
}

export interface ExportedProducts {
  /** The first names in alphabetical order. */
  readonly names: readonly string[]
  readonly total: number
}

const isOwn = ({ downstream }: Fix) => downstream !== true

type Column = (cve: ExportRecord, products: ExportedProducts) => CsvValue

const COLUMNS: Readonly<Record<string, Column>> = {
  cve_id: ({ cve_id }) => cve_id,
  status: ({ status }) => status,
  published: ({ published }) => published,
  modified: ({ modified }) => modified,
  severity: ({ severity }) => severity,
  priority_level: ({ priority }) => priority?.level,
  epss_score: ({ epss }) => epss?.score,
  epss_percentile: ({ epss }) => epss?.percentile,
  in_kev: ({ kev }) => kev !== undefined,
  kev_date_added: ({ kev }) => kev?.dateAdded,
  kev_due_date: ({ kev }) => kev?.dueDate,
  known_ransomware: ({ kev }) => kev?.knownRansomware,
  fixed_versions: ({ fixes = [] }) =>
    fixes
      .filter(isOwn)
      .map(({ product, version }) => `${product} ${version}`.trim())
      .join('; '),
  fixes_not_shown: ({ fixes = [], fixes_omitted = 0 }) => fixes.filter((fix) => !isOwn(fix)).length + fixes_omitted,
  products: (_, { names }) => names.join('; '),
  products_total: (_, { total }) => total,
  description: ({ description }) => description,
}

export const EXPORT_COLUMNS: readonly string[] = Object.keys(COLUMNS)

export function listExportValues(cve: ExportRecord, products: ExportedProducts): readonly CsvValue[] {
  return Object.values(COLUMNS).map((column) => column(cve, products))
}
