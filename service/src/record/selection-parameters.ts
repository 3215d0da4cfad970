// Reads the parameters `fields` and `include` (decisions D1, D2, D3).
import { ADD_ONS } from '../contract/record/add-ons/index.ts'
import { CVE_FIELD_NAMES, type CveField, isAvailableIn } from '../contract/record/cve-fields.ts'
import { CVE_FORMS, type CveForm, type MemberSize } from '../contract/record/cve-member.ts'
import { list } from '../contract/request/parameters.ts'
import { type ValueType, word } from '../contract/request/value-types.ts'
import { buildSelection, type FieldQuery, hasHistory, type Include, listAddOns, type Selection } from './selection.ts'

export const fieldType = (form: CveForm): ValueType<CveField> =>
  withAvailabilityHint(
    word(
      CVE_FIELD_NAMES.filter((field) => isAvailableIn(field, form)),
      { anyCase: true },
    ),
    form,
  )

/** `epss` and `kev` have no effect, because every response form contains them by default. */
export const includeType = (form: CveForm): ValueType<Include> =>
  withAvailabilityHint(
    word<Include>([...listAddOns(form), 'epss', 'kev'], {
      anyCase: true,
      labels: Object.fromEntries(listAddOns(form).map((name) => [name, name])),
    }),
    form,
  )

const REQUESTS: Readonly<Record<CveForm, string>> = {
  single: 'GET /api/v1/cve/{cve-id}',
  listed: 'GET /api/v1/cves',
  batch: 'POST /api/v1/cve/batch',
  recent: 'GET /api/v1/cves/recent',
}

/** Adds a hint to the error: where a member of another response form is available. */
function withAvailabilityHint<T>(type: ValueType<T>, form: CveForm): ValueType<T> {
  const hint = (text: string) => {
    const field = CVE_FIELD_NAMES.find((name) => name === text.toLowerCase())
    if (field === undefined || isAvailableIn(field, form)) return undefined
    const places = CVE_FORMS.filter((each) => isAvailableIn(field, each)).map((each) => REQUESTS[each])
    return `${field} is available only in ${places.join(' and ')}`
  }
  return { ...type, hint }
}

/** Describes the query parameter and the member of the batch body in openapi.json. */
export const describeInclude = (form: CveForm) =>
  `Add-ons: ${listAddOns(form).join(', ')}. (epss and kev are accepted and change nothing.)`

export const fieldsParameter = (form: CveForm) =>
  list(
    fieldType(form),
    'Return only these members, and the add-ons of include; of those, acsc, enrichment and attack must be named here too. Default: all of this form.',
    { example: ['cve_id', 'severity', 'kev'] },
  )

export const includeParameter = (form: CveForm) =>
  list(includeType(form), describeInclude(form), { example: ['acsc', 'enrichment', 'attack'] })

export function select(form: CveForm, query: FieldQuery): Selection {
  return query.fields || query.include ? buildSelection(form, query) : DEFAULT_SELECTIONS[form]
}

/** Built once, because most requests have neither `fields` nor `include`. */
const DEFAULT_SELECTIONS: Readonly<Record<CveForm, Selection>> = {
  single: buildSelection('single', {}),
  listed: buildSelection('listed', {}),
  batch: buildSelection('batch', {}),
  recent: buildSelection('recent', {}),
}

/** Every member that a single CVE can have, except those that are read with each request. */
export const EVERYTHING: Selection = { form: 'single', fields: CVE_FIELD_NAMES.filter((field) => !hasHistory(field)) }

/** Differs between any two selections. ETags are computed from it, among other values. */
export function describeSelection({ form, fields }: Selection): string {
  return `${form}:${fields.map(describeField).join(',')}`
}

/** Adds the version of the member's rules, if there is one. */
function describeField(field: CveField): string {
  const version = ADD_ONS.find(({ name }) => name === field)?.version
  return version === undefined ? field : `${field}@${version}`
}

const [KILOBYTE, MEGABYTE] = [1024, 1024 * 1024]

/**
 * Upper estimates of the JSON text per CVE, and in total, because few CVEs are that large. Of all CVEs published until
 * 2026, the 50 largest have on average 213 KB in `cpe` and `references`, and at most 7 KB in members without an
 * estimate of their own.
 */
const ESTIMATES: readonly ({ readonly fields: readonly CveField[] } & MemberSize)[] = [
  { fields: ['cpe', 'references'], perCve: 248 * KILOBYTE, total: 15 * MEGABYTE },
  ...ADD_ONS.flatMap(({ name, size }) => (size ? [{ fields: [name], ...size }] : [])),
  { fields: CVE_FIELD_NAMES, perCve: 8 * KILOBYTE, total: MEGABYTE },
]

/** Estimates the size of the JSON text for `count` CVEs. */
export function estimateBytes({ fields }: Selection, count: number): number {
  return ESTIMATES.filter((part) => part.fields.some((field) => fields.includes(field))).reduce(
    (sum, { perCve, total }) => sum + Math.min(count * perCve, total),
    0,
  )
}
