// Parameters of a search, in the order of the specification, and the rules that apply to several parameters.
import { Type } from 'typebox'
import type { Rule } from '../../contract/endpoint.ts'
import { list, optional, type ValuesOf, withDefault } from '../../contract/parameters.ts'
import {
  cveId,
  decimal,
  flag,
  integer,
  moment,
  text,
  type ValueType,
  withExample,
  word,
} from '../../contract/value-types.ts'
import { KEV_CATALOGS } from '../../domain/kev-catalog.ts'
import { afterParameter } from '../cursor.ts'
import { priorityParameter } from '../cve-record/priority.ts'
import { fieldsParameter, includeParameter } from '../cve-record/selection.ts'
import { levelType } from '../cve-record/severity.ts'
import { sortType } from '../cve-record/sort.ts'
import { PLAN_NOTE, sourceType } from '../cve-record/source.ts'
import { statusType } from '../cve-record/status.ts'

const score = (example: number) => withExample(decimal({ minimum: 0, maximum: 10 }), example)
const probability = (example: number) => withExample(decimal({ minimum: 0, maximum: 1 }), example)
const DEFAULT_LIMIT = 20
const MAX_IDS = 50

const VECTORS = { network: 'N', adjacent: 'A', local: 'L', physical: 'P' } as const
const VECTOR_NAMES = ['network', 'adjacent', 'local', 'physical'] as const

function attackVectorType(): ValueType<keyof typeof VECTORS> {
  const choices = [...VECTOR_NAMES, ...Object.values(VECTORS)]
  return {
    schema: Type.Enum(choices),
    expects: `one of ${VECTOR_NAMES.join(', ')}, or their first letters`,
    choices,
    example: 'network',
    parse: (sent) => {
      const lower = sent.toLowerCase()
      return VECTOR_NAMES.find((name) => name === lower || VECTORS[name].toLowerCase() === lower)
    },
  }
}

/**
 * The `limit` parameter. openapi.json shows its usual default. `resolveLimit` applies the default, because another
 * default applies if the request has the parameter `ids`.
 */
function limitType(): ValueType<number> {
  const type = integer({ minimum: 1, maximum: 100 })
  return { ...type, schema: { ...type.schema, default: DEFAULT_LIMIT }, example: DEFAULT_LIMIT }
}

export const PARAMETERS = {
  q: optional(
    withExample(text({ maxLength: 256 }), 'log4j'),
    'Words in the id or the description. All words must match. A word matches the beginning of a word (from 3 characters) or another grammatical form of it. Words in "quotation marks" must be adjacent.',
  ),
  ids: list(cveId(), 'Return only these CVEs. Ids without a record are ignored.', {
    maxItems: MAX_IDS,
    rejectsEmpty: true,
    example: ['CVE-2021-44228', 'CVE-2024-3094'],
  }),
  severity: list(
    levelType(),
    'Severity is any of these levels: critical 9.0-10.0, high 7.0-8.9, medium 4.0-6.9, low 0.1-3.9.',
    { example: ['critical', 'high'] },
  ),
  severity_min: optional(score(7), 'Minimum base score. Legacy: prefer severity.'),
  severity_max: optional(score(8.9), 'Maximum base score. Legacy: prefer severity.'),
  exploit: optional(flag(), 'Whether the CVE is in the KEV catalog or has evidence of an exploit.'),
  exploitable: optional(flag(), 'Whether the CVE has evidence of an exploit. A KEV entry alone does not count.'),
  kev: optional(flag(), 'Whether the CVE is in the KEV catalog.'),
  kev_in: list(
    word(KEV_CATALOGS, { anyCase: true }),
    "In any of these catalogs of known exploited vulnerabilities: cisa (CISA's KEV), eu (ENISA's EU KEV).",
    { example: ['cisa', 'eu'] },
  ),
  has_acsc: optional(flag(), 'Whether an ACSC notice names the CVE.'),
  has_references: optional(flag(), 'Whether the CVE has references.'),
  epss_min: optional(probability(0.5), 'Minimum EPSS score.'),
  epss_max: optional(probability(0.9), 'Maximum EPSS score.'),
  cvss_min: optional(score(9), 'Minimum base score.'),
  cpe_count_min: optional(withExample(integer({ minimum: 1 }), 10), 'Minimum number of CPE matches.'),
  published_after: optional(moment(), 'Published at or after this time.'),
  published_before: optional(moment(), 'Published at or before this time. A date means the end of that day.'),
  modified_after: optional(moment(), 'Modified at or after this time.'),
  modified_before: optional(moment(), 'Modified at or before this time. A date means the end of that day.'),
  vendor: optional(
    sourceType(),
    `CVEs of which this data source has a record. ${PLAN_NOTE} Requires include=enrichment.`,
  ),
  attack_vector: optional(attackVectorType(), 'CVSS attack vector. Requires include=enrichment.'),
  patched: optional(flag(), 'Whether a source names a fix. Requires include=enrichment.'),
  status: list(statusType(), "NVD's status is any of these. Leave out Rejected to skip rejected CVEs.", {
    example: ['Analyzed', 'Modified'],
  }),
  priority: priorityParameter(),
  sort: withDefault(
    sortType(),
    'published_desc',
    'Sort order; priority_desc is most urgent first. CVEs without the sorted value come last in both directions.',
  ),
  limit: optional(
    limitType(),
    'Maximum CVEs per page. If ids is given, the default is the number of ids, at least 20.',
  ),
  after: afterParameter(),
  fields: fieldsParameter('listed'),
  include: includeParameter('listed'),
}

export type Query = ValuesOf<typeof PARAMETERS>

type QueryRule = Rule<{ readonly query: Query }>

export const RULES: readonly QueryRule[] = [
  requireOrder('severity_min', 'severity_max'),
  requireOrder('epss_min', 'epss_max'),
  requireChronology('published_after', 'published_before'),
  requireChronology('modified_after', 'modified_before'),
  requireEnrichment('vendor'),
  requireEnrichment('attack_vector'),
  requireEnrichment('patched'),
]

export function resolveLimit({ limit, ids }: Query): number {
  return limit ?? Math.max(DEFAULT_LIMIT, ids?.length ?? 0)
}

function requireOrder(min: 'severity_min' | 'epss_min', max: 'severity_max' | 'epss_max'): QueryRule {
  return {
    parameters: [min, max],
    check: ({ query }) => ((query[min] ?? 0) > (query[max] ?? Infinity) ? `must not exceed ${max}` : undefined),
  }
}

function requireChronology(
  after: 'published_after' | 'modified_after',
  before: 'published_before' | 'modified_before',
): QueryRule {
  return {
    parameters: [after, before],
    check: ({ query: { [after]: from, [before]: until } }) =>
      from && until && from.first > until.last ? `must not be later than ${before}` : undefined,
  }
}

function requireEnrichment(name: 'vendor' | 'attack_vector' | 'patched'): QueryRule {
  return {
    parameters: [name, 'include'],
    check: ({ query }) =>
      query[name] === undefined || query.include?.includes('enrichment') ? undefined : 'requires include=enrichment',
  }
}
