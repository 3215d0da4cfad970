import { ADD_ON_NAMES, type AddOnName, SPECIFIED_ADD_ONS } from '../contract/record/add-ons/index.ts'
import { CVE_FIELD_NAMES, type CveField, getDefaultFields, isAvailableIn } from '../contract/record/cve-fields.ts'
import type { CveForm } from '../contract/record/cve-member.ts'

export type Include = AddOnName | 'epss' | 'kev'

export const listAddOns = (form: CveForm) => ADD_ON_NAMES.filter((field) => isAvailableIn(field, form))

export interface Selection {
  readonly form: CveForm
  /** Members in response order. */
  readonly fields: readonly CveField[]
}

export interface FieldQuery {
  readonly fields?: readonly CveField[] | undefined
  readonly include?: readonly Include[] | undefined
}

/** The add-ons of the specification must be in both parameters; for the others, `include` is enough (decision D1). */
export function buildSelection(form: CveForm, { fields, include = [] }: FieldQuery): Selection {
  const candidates = new Set<CveField>(fields ?? [...getDefaultFields(form), ...ADD_ON_NAMES])
  const isSelected = (field: CveField) =>
    isAddOn(field)
      ? include.includes(field) && (candidates.has(field) || !SPECIFIED_ADD_ONS.includes(field))
      : candidates.has(field)
  return { form, fields: CVE_FIELD_NAMES.filter(isSelected) }
}

/**
 * Members with EPSS scores of earlier days. They are read with each request, because that history can change while the
 * record does not.
 */
const MEMBERS_WITH_HISTORY = ['timeline', 'epss_trend'] as const satisfies readonly CveField[]

export const hasHistory = (field: CveField): boolean => MEMBERS_WITH_HISTORY.some((each) => each === field)

/**
 * A whole record, as copies of the catalog have it. Members with a history have nothing of their own: their facts are
 * those of other members, and their scores those of /epss.
 */
export const WITH_ALL_ADD_ONS: Selection = buildSelection('single', {
  include: listAddOns('single').filter((name) => !hasHistory(name)),
})

function isAddOn(field: CveField): field is AddOnName {
  return ADD_ON_NAMES.some((each) => each === field)
}
