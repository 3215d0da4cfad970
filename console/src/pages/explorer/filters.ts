// The filters of the list, in one table. Names are the parameters of GET /api/v1/cves, so a query string of the console
// is one of the API. Chips, menus and the check of the query string are derived from this table.
import type { SearchFilters } from 'vis-sdk'

export type FilterName = Exclude<keyof SearchFilters, 'sort' | 'limit' | 'after' | 'fields' | 'include'>

interface FilterBase {
  readonly label: string
}

/** One or several of a list of words. */
interface ChoiceFilter extends FilterBase {
  readonly kind: 'choices' | 'choice'
  /** Values of the API with the words that people see. */
  readonly options: Readonly<Record<string, string>>
}

/** Yes, no or not set. */
interface FlagFilter extends FilterBase {
  readonly kind: 'flag'
  /** Texts of the chip for true and false. */
  readonly texts: readonly [string, string]
}

interface PlainFilter extends FilterBase {
  readonly kind: 'text' | 'number' | 'percent' | 'date' | 'ids'
  /** Bounds of a number, as the API checks them. */
  readonly max?: number
}

type FilterSpec = ChoiceFilter | FlagFilter | PlainFilter

const SEVERITY_WORDS = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' } as const

export const STATUS_WORDS = {
  Received: 'Received',
  'Awaiting Analysis': 'Awaiting analysis',
  'Undergoing Analysis': 'Undergoing analysis',
  Analyzed: 'Analyzed',
  Modified: 'Modified',
  Deferred: 'Deferred',
  Rejected: 'Rejected',
} as const

/** The code does not compile if a filter of the API is missing here. */
export const FILTERS: Readonly<Record<FilterName, FilterSpec>> = {
  q: { kind: 'text', label: 'words' },
  ids: { kind: 'ids', label: 'ids' },
  severity: { kind: 'choices', label: 'severity', options: SEVERITY_WORDS },
  severity_min: { kind: 'number', label: 'CVSS at least', max: 10 },
  severity_max: { kind: 'number', label: 'CVSS at most', max: 10 },
  kev: { kind: 'flag', label: 'In the KEV catalog', texts: ['in KEV', 'not in KEV'] },
  kev_in: { kind: 'choices', label: 'KEV catalog of', options: { cisa: 'CISA', eu: 'EU' } },
  exploitable: { kind: 'flag', label: 'Public exploit', texts: ['public exploit', 'no public exploit'] },
  exploit: {
    kind: 'flag',
    label: 'KEV or public exploit',
    texts: ['KEV or public exploit', 'neither KEV nor public exploit'],
  },
  epss_min: { kind: 'percent', label: 'EPSS at least', max: 1 },
  epss_max: { kind: 'percent', label: 'EPSS at most', max: 1 },
  cvss_min: { kind: 'number', label: 'CVSS at least', max: 10 },
  attack_vector: {
    kind: 'choice',
    label: 'attack',
    options: { network: 'Network', adjacent: 'Adjacent network', local: 'Local', physical: 'Physical' },
  },
  patched: { kind: 'flag', label: 'Fix available', texts: ['fix available', 'no known fix'] },
  published_after: { kind: 'date', label: 'published from' },
  published_before: { kind: 'date', label: 'published until' },
  modified_after: { kind: 'date', label: 'modified from' },
  modified_before: { kind: 'date', label: 'modified until' },
  has_acsc: { kind: 'flag', label: 'ACSC notice', texts: ['ACSC notice', 'no ACSC notice'] },
  has_references: { kind: 'flag', label: 'References', texts: ['with references', 'without references'] },
  cpe_count_min: { kind: 'number', label: 'CPE matches at least', max: 1_000_000 },
  vendor: {
    kind: 'choice',
    label: 'record of',
    options: { nvd: 'NVD', cve: 'CVE List', ghsa: 'GitHub', redhat: 'Red Hat', msrc: 'Microsoft' },
  },
  status: { kind: 'choices', label: 'status', options: STATUS_WORDS },
}

// The cast is safe: the keys of the table are the names of the filters.
export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[]

export type FilterValues = Readonly<Partial<Record<FilterName, string>>>

const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,12}Z)?$/
const CVE_ID = /^CVE-\d{4}-\d{4,19}$/
const MAX_TEXT = 256
const MAX_IDS = 50

/** Returns the value in the form that the API expects, or undefined if the API would refuse it. */
export function normaliseFilter(name: FilterName, text: string): string | undefined {
  const spec = FILTERS[name]
  const value = text.trim()
  if (value === '') return undefined
  switch (spec.kind) {
    case 'text':
      return value.slice(0, MAX_TEXT)
    case 'flag':
      return value === 'true' || value === 'false' ? value : undefined
    case 'choice':
    case 'choices':
      return normaliseChoices(spec, value)
    case 'number':
    case 'percent':
      return DECIMAL.test(value) && Number(value) <= (spec.max ?? Infinity) ? value : undefined
    case 'date':
      return DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
    case 'ids':
      return normaliseIds(value)
  }
}

/** Keeps known words, in the order of the table, so that equal filters have equal addresses. */
function normaliseChoices({ kind, options }: ChoiceFilter, value: string): string | undefined {
  const sent = value.split(',').map((each) => each.trim().toLowerCase())
  const known = Object.keys(options).filter((option) => sent.includes(option.toLowerCase()))
  const kept = kind === 'choice' ? known.slice(0, 1) : known
  return kept.length === 0 ? undefined : kept.join(',')
}

function normaliseIds(value: string): string | undefined {
  const ids = value.split(/[\s,;]/).map((each) => each.toUpperCase())
  const known = [...new Set(ids.filter((id) => CVE_ID.test(id)))].slice(0, MAX_IDS)
  return known.length === 0 ? undefined : known.join(',')
}
