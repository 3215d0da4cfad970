// The filters of the list, in one table. Names are the parameters of GET /api/v1/cves, so a query string of the console
// is one of the API. Chips, menus and the check of the query string are derived from this table.
import type { SearchFilters } from 'vis-sdk'
import { LEVEL_WORDS } from '../../text/priority.ts'
import { titleDataset } from '../../text/source-names.ts'

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

/** A number with its bounds, as the API checks them. */
interface NumberFilter extends FilterBase {
  readonly kind: 'number' | 'percent'
  readonly min: number
  readonly max: number
  readonly isInteger?: boolean
}

/** A list of ids or names, of which the API accepts at most 20. */
interface ListFilter extends FilterBase {
  readonly kind: 'list'
  /** Form of an item as the API accepts it. */
  readonly item: RegExp
}

interface PlainFilter extends FilterBase {
  readonly kind: 'date' | 'day' | 'ids'
}

interface TextFilter extends FilterBase {
  readonly kind: 'text'
  readonly maxLength: number
}

type FilterSpec = ChoiceFilter | FlagFilter | NumberFilter | ListFilter | PlainFilter | TextFilter

/** Words for each value of a filter. The code does not compile if a value of the API is missing. */
type WordsOf<Name extends FilterName> = Readonly<Record<ValueOf<NonNullable<SearchFilters[Name]>>, string>>
type ValueOf<Value> = Value extends readonly (infer Item extends string)[] ? Item : Value extends string ? Value : never

export const STATUS_WORDS = {
  Received: 'Received',
  'Awaiting Analysis': 'Awaiting analysis',
  'Undergoing Analysis': 'Undergoing analysis',
  Analyzed: 'Analyzed',
  Modified: 'Modified',
  Deferred: 'Deferred',
  Rejected: 'Rejected',
} as const satisfies WordsOf<'status'>

const SEVERITY_WORDS: WordsOf<'severity'> = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' }
const PRIORITY_WORDS: WordsOf<'priority'> = {
  P0: `P0 ${LEVEL_WORDS.P0}`,
  P1: `P1 ${LEVEL_WORDS.P1}`,
  P2: `P2 ${LEVEL_WORDS.P2}`,
  P3: `P3 ${LEVEL_WORDS.P3}`,
  P4: `P4 ${LEVEL_WORDS.P4}`,
}
const KEV_WORDS: WordsOf<'kev_in'> = { cisa: 'CISA', eu: 'EU' }
const RECORD_WORDS: WordsOf<'vendor'> = {
  nvd: titleDataset('nvd'),
  cve: titleDataset('cve'),
  ghsa: titleDataset('ghsa'),
  redhat: titleDataset('redhat'),
  msrc: titleDataset('msrc'),
}
/** The API also accepts the first letters N, A, L and P. */
const ATTACK_WORDS: Omit<WordsOf<'attack_vector'>, 'N' | 'A' | 'L' | 'P'> = {
  network: 'Network',
  adjacent: 'Adjacent network',
  local: 'Local',
  physical: 'Physical',
}

const VERSION_WORDS: WordsOf<'score_version'> = { 2: 'CVSS 2', 3: 'CVSS 3', 4: 'CVSS 4' }
const MATURITY_WORDS: WordsOf<'exploit_maturity'> = {
  ransomware: 'Ransomware',
  active: 'Exploited',
  weaponized: 'Weaponized',
  functional: 'Functional',
  poc: 'Proof of concept',
  none: 'No exploit known',
}
const EXPLOITATION_WORDS: WordsOf<'ssvc_exploitation'> = { none: 'None', poc: 'Proof of concept', active: 'Active' }
const AUTOMATABLE_WORDS: WordsOf<'ssvc_automatable'> = { no: 'No', yes: 'Yes' }
const IMPACT_WORDS: WordsOf<'ssvc_impact'> = { partial: 'Partial', total: 'Total' }
const DISAGREEMENT_WORDS: WordsOf<'disagree'> = {
  score: 'Severity',
  affected: 'Affected products',
  rejected: 'Rejection',
  kev_ssvc: 'KEV and SSVC',
}

const CWE_ID = /^CWE-[1-9]\d{0,5}$/i
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/i
const NAME = /^.{1,128}$/u

/** The API has no upper bound; no CVE has as many matches. */
const MAX_CPE_COUNT = 1_000_000
/** No CVE has as many pieces of evidence. */
const MAX_EVIDENCE = 100_000

/** The code does not compile if a filter of the API is missing here. */
export const FILTERS: Readonly<Record<FilterName, FilterSpec>> = {
  q: { kind: 'text', label: 'words', maxLength: 256 },
  ids: { kind: 'ids', label: 'ids' },
  priority: { kind: 'choices', label: 'priority', options: PRIORITY_WORDS },
  severity: { kind: 'choices', label: 'severity', options: SEVERITY_WORDS },
  severity_min: { kind: 'number', label: 'severity from', min: 0, max: 10 },
  severity_max: { kind: 'number', label: 'severity up to', min: 0, max: 10 },
  kev: { kind: 'flag', label: 'In the KEV catalog', texts: ['in KEV', 'not in KEV'] },
  kev_in: { kind: 'choices', label: 'KEV catalog of', options: KEV_WORDS },
  exploitable: { kind: 'flag', label: 'Public exploit', texts: ['public exploit', 'no public exploit'] },
  exploit: {
    kind: 'flag',
    label: 'KEV or public exploit',
    texts: ['KEV or public exploit', 'neither KEV nor public exploit'],
  },
  epss_min: { kind: 'percent', label: 'EPSS at least', min: 0, max: 1 },
  epss_max: { kind: 'percent', label: 'EPSS at most', min: 0, max: 1 },
  cvss_min: { kind: 'number', label: 'CVSS at least', min: 0, max: 10 },
  attack_vector: { kind: 'choice', label: 'attack vector', options: ATTACK_WORDS },
  patched: { kind: 'flag', label: 'Fix named', texts: ['a source names a fix', 'no source names a fix'] },
  published_after: { kind: 'date', label: 'published from' },
  published_before: { kind: 'date', label: 'published until' },
  modified_after: { kind: 'date', label: 'modified from' },
  modified_before: { kind: 'date', label: 'modified until' },
  has_acsc: { kind: 'flag', label: 'ACSC notice', texts: ['ACSC notice', 'no ACSC notice'] },
  has_references: { kind: 'flag', label: 'References', texts: ['with references', 'without references'] },
  cpe_count_min: { kind: 'number', label: 'CPE matches at least', min: 1, max: MAX_CPE_COUNT, isInteger: true },
  vendor: { kind: 'choice', label: 'record in', options: RECORD_WORDS },
  status: { kind: 'choices', label: 'status', options: STATUS_WORDS },
  cwe: { kind: 'list', label: 'weakness', item: CWE_ID },
  technique: { kind: 'list', label: 'technique', item: TECHNIQUE_ID },
  product_vendor: { kind: 'list', label: 'vendor', item: NAME },
  product: { kind: 'list', label: 'product', item: NAME },
  assigner: { kind: 'list', label: 'assigned by', item: NAME },
  has_fix: { kind: 'flag', label: 'Fixed version', texts: ['a fixed version is named', 'no fixed version is named'] },
  has_cvss: { kind: 'flag', label: 'CVSS score', texts: ['with a CVSS score', 'without a CVSS score'] },
  has_epss: { kind: 'flag', label: 'EPSS score', texts: ['with an EPSS score', 'without an EPSS score'] },
  score_version: { kind: 'choices', label: 'score by', options: VERSION_WORDS },
  epss_percentile_min: { kind: 'percent', label: 'EPSS percentile at least', min: 0, max: 1 },
  ransomware: {
    kind: 'flag',
    label: 'Ransomware',
    texts: ['ransomware known', 'ransomware not known'],
  },
  kev_added_after: { kind: 'day', label: 'in KEV from' },
  kev_added_before: { kind: 'day', label: 'in KEV until' },
  exploit_maturity: { kind: 'choices', label: 'exploits', options: MATURITY_WORDS },
  evidence_min: { kind: 'number', label: 'exploit evidence at least', min: 1, max: MAX_EVIDENCE, isInteger: true },
  ssvc_exploitation: { kind: 'choices', label: 'SSVC exploitation', options: EXPLOITATION_WORDS },
  ssvc_automatable: { kind: 'choices', label: 'SSVC automatable', options: AUTOMATABLE_WORDS },
  ssvc_impact: { kind: 'choices', label: 'SSVC impact', options: IMPACT_WORDS },
  score_disagreement: {
    kind: 'flag',
    label: 'Disagreement about severity',
    texts: ['sources disagree about the severity', 'sources agree about the severity'],
  },
  disagree: { kind: 'choices', label: 'sources disagree about', options: DISAGREEMENT_WORDS },
  cpe: { kind: 'text', label: 'affects', maxLength: 512 },
  purl: { kind: 'text', label: 'affects', maxLength: 512 },
}

// The cast is safe: the keys of the table are the names of the filters.
export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[]

export type FilterValues = Readonly<Partial<Record<FilterName, string>>>

const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?)?$/
const CVE_ID = /^CVE-\d{4}-\d{4,19}$/
const MAX_IDS = 50
const MAX_ITEMS = 20
const DAY_LENGTH = 'YYYY-MM-DD'.length

/** Returns the value in the form that the API expects, or undefined if the API would refuse it. */
export function normaliseFilter(name: FilterName, text: string): string | undefined {
  const spec = FILTERS[name]
  const value = text.trim()
  if (value === '') return undefined
  switch (spec.kind) {
    case 'text':
      return value.slice(0, spec.maxLength)
    case 'flag':
      return value === 'true' || value === 'false' ? value : undefined
    case 'choice':
    case 'choices':
      return normaliseChoices(spec, value)
    case 'number':
    case 'percent':
      return DECIMAL.test(value) && isWithinBounds(spec, Number(value)) ? value : undefined
    case 'date':
      return DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
    case 'day':
      return normaliseFilter('published_after', value)?.slice(0, DAY_LENGTH)
    case 'ids':
      return normaliseIds(value)
    case 'list':
      return normaliseItems(spec, value)
  }
}

function isWithinBounds({ min, max, isInteger = false }: NumberFilter, value: number): boolean {
  return value >= min && value <= max && (!isInteger || Number.isInteger(value))
}

/** Keeps known words, in the order of the table, so that equal filters have equal addresses. */
function normaliseChoices({ kind, options }: ChoiceFilter, value: string): string | undefined {
  const sent = value.split(',').map((each) => each.trim().toLowerCase())
  const known = Object.keys(options).filter((option) => sent.includes(option.toLowerCase()))
  const kept = kind === 'choice' ? known.slice(0, 1) : known
  return kept.length === 0 ? undefined : kept.join(',')
}

function normaliseItems({ item }: ListFilter, value: string): string | undefined {
  const items = value.split(',').map((each) => each.trim())
  const known = [...new Set(items.filter((each) => item.test(each)))].slice(0, MAX_ITEMS)
  return known.length === 0 ? undefined : known.join(',')
}

function normaliseIds(value: string): string | undefined {
  const ids = value.split(/[\s,;]/).map((each) => each.toUpperCase())
  const known = [...new Set(ids.filter((id) => CVE_ID.test(id)))].slice(0, MAX_IDS)
  return known.length === 0 ? undefined : known.join(',')
}
