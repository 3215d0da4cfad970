// Filters by the content of a CVE record: status, sources, references and products.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { list, optional } from '../../contract/request/parameters.ts'
import { cveId, flag, integer, type ValueType, withExample } from '../../contract/request/value-types.ts'
import { type CveId, type CveKey, toCveKey } from '../../domain/cve-id.ts'
import { testAmong, testColumn, testFlag, testNumber } from '../column-values.ts'
import { defineFilter } from '../filter.ts'
import { isSet } from './is-set.ts'
import { PLAN_NOTE, sourceType } from './values/source.ts'
import { hasStatus, statusType } from './values/status.ts'

const MAX_IDS = 50

const VECTORS = { network: 'N', adjacent: 'A', local: 'L', physical: 'P' } as const
const VECTOR_LABELS = { network: 'network', adjacent: 'adjacent network', local: 'local', physical: 'physical' }
const VECTOR_NAMES = ['network', 'adjacent', 'local', 'physical'] as const

export const ids = defineFilter({
  label: 'ids',
  parameter: list(cveId(), 'Return only these CVEs. Ids without a record are ignored.', {
    maxItems: MAX_IDS,
    rejectsEmpty: true,
    example: ['CVE-2021-44228', 'CVE-2024-3094'],
  }),
  lists: ['search'],
  condition: (sent) => sql`cve.cve_key = any(${listKeys(sent)}::bigint[])`,
  test: undefined,
  factTest: (sent) => {
    const keys = new Set(listKeys(sent))
    return { acceptsKey: (key) => keys.has(key) }
  },
  equality: (sent) => ({ of: 'key', texts: listKeys(sent) }),
  findsFew: () => true,
})

/** An id that is not canonical has no record. */
const listKeys = (sent: readonly CveId[]): readonly CveKey[] => sent.flatMap((id) => toCveKey(id) ?? [])

export const hasAcsc = defineFilter({
  label: 'ACSC notice',
  parameter: optional(
    flag({ true: 'with an ACSC notice', false: 'without an ACSC notice' }),
    'Whether an ACSC notice names the CVE.',
  ),
  lists: ['search', 'recent'],
  condition: (isRequired) => isSet('has_notice', isRequired),
  test: (isRequired) => testFlag('has_notice', isRequired),
  findsFew: (isRequired) => isRequired,
})

export const hasReferences = defineFilter({
  label: 'references',
  parameter: optional(
    flag({ true: 'with references', false: 'without references' }),
    'Whether the CVE has references.',
  ),
  lists: ['search'],
  condition: (isRequired) => isSet('has_reference', isRequired),
  test: (isRequired) => testFlag('has_reference', isRequired),
})

export const cpeCountMin = defineFilter({
  label: 'CPE matches at least',
  parameter: optional(withExample(integer({ minimum: 1 }), 10), 'Minimum number of CPE matches.'),
  lists: ['search'],
  condition: (count) => sql`cve.cpe_count >= ${count}`,
  test: (count) => testNumber('cpe_count', (stored) => stored >= count),
})

export const vendor = defineFilter({
  label: 'record in',
  parameter: optional(
    sourceType(),
    `CVEs of which this data source has a record. ${PLAN_NOTE} Requires include=enrichment.`,
  ),
  lists: ['search'],
  needs: 'enrichment',
  condition: (source) => sql`cve.sources @> array[${source}]`,
  test: (source) => testColumn('sources', (sources) => sources.includes(source)),
})

export const attackVector = defineFilter({
  label: 'attack vector',
  parameter: optional(attackVectorType(), 'CVSS attack vector. Requires include=enrichment.'),
  lists: ['search'],
  needs: 'enrichment',
  condition: (vector) => sql`cve.attack_vector = ${vector}`,
  test: (vector) => testColumn('attack_vector', (stored) => stored === vector),
})

export const patched = defineFilter({
  label: 'fix named',
  parameter: optional(
    flag({ true: 'with a named fix', false: 'without a named fix' }),
    'Whether a source names a fix. Requires include=enrichment.',
  ),
  lists: ['search'],
  needs: 'enrichment',
  condition: (isRequired) => isSet('has_patch', isRequired),
  test: (isRequired) => testFlag('has_patch', isRequired),
})

export const status = defineFilter({
  label: 'status',
  parameter: list(statusType(), "NVD's status is any of these. Leave out Rejected to skip rejected CVEs.", {
    example: ['Analyzed', 'Modified'],
  }),
  lists: ['search', 'recent'],
  condition: hasStatus,
  test: (statuses) => testAmong('status', statuses),
})

export const hasFix = defineFilter({
  label: 'fixed version',
  parameter: optional(
    flag({ true: 'with a named fixed version', false: 'without a named fixed version' }),
    'Whether a source names a fixed version. patched also counts links that are tagged as a patch.',
  ),
  lists: ['search', 'recent'],
  condition: (isRequired) => isSet('has_fix', isRequired),
  test: (isRequired) => testFlag('has_fix', isRequired),
})

function attackVectorType(): ValueType<keyof typeof VECTORS> {
  const choices = [...VECTOR_NAMES, ...Object.values(VECTORS)]
  return {
    schema: Type.Enum(choices, { 'x-labels': VECTOR_LABELS }),
    expects: `one of ${VECTOR_NAMES.join(', ')}, or their first letters`,
    choices,
    example: 'network',
    parse: (sent) => {
      const lower = sent.toLowerCase()
      return VECTOR_NAMES.find((name) => name === lower || VECTORS[name].toLowerCase() === lower)
    },
  }
}
