// What can be asked of a search, in the order of the specification, and which questions do not go together.
import { Type } from 'typebox'
import { list, optional, type ValuesOf, withDefault } from '../../contract/parameters.ts'
import { cveId, decimal, flag, type Item, integer, moment, text } from '../../contract/value-types.ts'
import { afterParameter } from '../cursor.ts'
import { fieldsParameter, includeParameter } from '../cve-record/selection.ts'
import { levelItem } from '../cve-record/severity.ts'
import { sortItem } from '../cve-record/sort.ts'
import { sourceItem } from '../cve-record/source.ts'
import { statusItem } from '../cve-record/status.ts'

const score = () => decimal({ minimum: 0, maximum: 10 })
const probability = () => decimal({ minimum: 0, maximum: 1 })
const DEFAULT_LIMIT = 20
const MAX_IDS = 50

const VECTORS = { network: 'N', adjacent: 'A', local: 'L', physical: 'P' } as const
const VECTOR_NAMES = ['network', 'adjacent', 'local', 'physical'] as const

function attackVectorItem(): Item<keyof typeof VECTORS> {
  const choices = [...VECTOR_NAMES, ...Object.values(VECTORS)]
  return {
    schema: Type.Enum(choices),
    expects: `one of ${VECTOR_NAMES.join(', ')}, or their first letters`,
    choices,
    parse: (sent) => {
      const wanted = sent.toLowerCase()
      return VECTOR_NAMES.find((name) => name === wanted || VECTORS[name].toLowerCase() === wanted)
    },
  }
}

/** The default is shown, but not filled in: with `ids` it is another one. */
function limitItem(): Item<number> {
  const item = integer({ minimum: 1, maximum: 100 })
  return { ...item, schema: { ...item.schema, default: DEFAULT_LIMIT } }
}

export const PARAMETERS = {
  q: optional(
    text({ maxLength: 256 }),
    'Words of the id or the description. All must match, each as the beginning of a word (from 3 characters) or in another form of it; "in quotation marks" they must be adjacent.',
  ),
  ids: list(cveId(), 'Only these CVEs; unknown ones are simply absent.', {
    maxItems: MAX_IDS,
    isFaultWhenEmpty: true,
  }),
  severity: list(levelItem(), 'Any of these: critical 9.0-10.0, high 7.0-8.9, medium 4.0-6.9, low 0.1-3.9.'),
  severity_min: optional(score(), 'The least score; legacy, prefer severity.'),
  severity_max: optional(score(), 'The highest score; legacy, prefer severity.'),
  exploit: optional(flag(), 'In the KEV catalogue, or with evidence of an exploit.'),
  exploitable: optional(flag(), 'With evidence of an exploit, whether or not in the KEV catalogue.'),
  kev: optional(flag(), 'In the KEV catalogue.'),
  has_acsc: optional(flag(), 'With notices of the ACSC.'),
  has_references: optional(flag(), 'With references.'),
  epss_min: optional(probability(), 'The least EPSS score.'),
  epss_max: optional(probability(), 'The highest EPSS score.'),
  cvss_min: optional(score(), 'The least score.'),
  cpe_count_min: optional(integer({ minimum: 1 }), 'The least number of CPE matches.'),
  published_after: optional(moment(), 'Published then or later.'),
  published_before: optional(moment(), 'Published then or earlier; a date means the end of that day.'),
  modified_after: optional(moment(), 'Modified then or later.'),
  modified_before: optional(moment(), 'Modified then or earlier; a date means the end of that day.'),
  vendor: optional(
    sourceItem(),
    'The data source: CVEs for which it holds a record. ghsa, redhat and msrc need an enterprise plan. Needs include=enrichment.',
  ),
  attack_vector: optional(attackVectorItem(), 'Needs include=enrichment.'),
  patched: optional(flag(), 'A patch or a fixed version is known. Needs include=enrichment.'),
  status: list(statusItem(), 'Any of these; an addition, so that rejected records can be left out.'),
  sort: withDefault(sortItem(), 'published_desc', 'Records without the value come last in both directions.'),
  limit: optional(limitItem(), 'The most CVEs of a page. Without it, a page holds all that ids names.'),
  after: afterParameter(),
  fields: fieldsParameter(),
  include: includeParameter(),
}

export type Asked = ValuesOf<typeof PARAMETERS>

interface Rule {
  readonly of: readonly [string, ...string[]]
  broken(input: { readonly query: Asked }): string | undefined
}

export const RULES: readonly Rule[] = [
  isOrdered('severity_min', 'severity_max'),
  isOrdered('epss_min', 'epss_max'),
  isEarlier('published_after', 'published_before'),
  isEarlier('modified_after', 'modified_before'),
  needsEnrichment('vendor'),
  needsEnrichment('attack_vector'),
  needsEnrichment('patched'),
]

export function limitOf({ limit, ids }: Asked): number {
  return limit ?? Math.max(DEFAULT_LIMIT, ids?.length ?? 0)
}

function isOrdered(min: 'severity_min' | 'epss_min', max: 'severity_max' | 'epss_max'): Rule {
  return {
    of: [min, max],
    broken: ({ query }) => ((query[min] ?? 0) > (query[max] ?? Infinity) ? `must not exceed ${max}` : undefined),
  }
}

function isEarlier(after: 'published_after' | 'modified_after', before: 'published_before' | 'modified_before'): Rule {
  return {
    of: [after, before],
    broken: ({ query: { [after]: from, [before]: until } }) =>
      from && until && from.first > until.last ? `must not be later than ${before}` : undefined,
  }
}

function needsEnrichment(name: 'vendor' | 'attack_vector' | 'patched'): Rule {
  return {
    of: [name, 'include'],
    broken: ({ query }) =>
      query[name] === undefined || query.include?.includes('enrichment') ? undefined : 'requires include=enrichment',
  }
}
