/**
 * Subjects on which the sources of a CVE can disagree, with their bits in the column `disagreements` of catalog.cve.
 */
const DISAGREEMENT_BITS = { score: 1, affected: 2, rejected: 4, kev_ssvc: 8 } as const

export type Disagreement = keyof typeof DISAGREEMENT_BITS

export const DISAGREEMENTS = Object.keys(DISAGREEMENT_BITS) as Disagreement[]

/** Values of a CVE of which the sources are compared. `include=sources` names them in the same way. */
const COMPARED_VALUES = [
  'cvss_v3_1',
  'cvss_v4_0',
  'cvss_v2_0',
  'exploitation',
  'automatable',
  'technical_impact',
] as const

/** What a stated disagreement is about: a value, or a subject that concerns several values. */
export const DISAGREEMENT_TOPICS = [...COMPARED_VALUES, 'affected', 'rejected', 'kev_ssvc'] as const

export type DisagreementTopic = (typeof DISAGREEMENT_TOPICS)[number]

/** A disagreement in words. */
export interface StatedDisagreement {
  readonly about: DisagreementTopic
  /** Absent if the sources differ in a detail that the filter `disagree` does not cover. */
  readonly subject?: Disagreement
  readonly text: string
}

const ALL_BITS = Object.values(DISAGREEMENT_BITS).reduce((sum, bit) => sum + bit, 0)

export function sumSubjects(disagreements: readonly StatedDisagreement[]): number {
  const subjects = new Set(disagreements.flatMap(({ subject }) => subject ?? []))
  return [...subjects].reduce((sum, subject) => sum + DISAGREEMENT_BITS[subject], 0)
}

/** Lists the values of the column `disagreements` in catalog.cve that contain any of the subjects, or none of them. */
export function listDisagreementSums(subjects: readonly Disagreement[], hasAny: boolean): readonly number[] {
  const sums = Array.from({ length: ALL_BITS + 1 }, (_, sum) => sum)
  return sums.filter((sum) => subjects.some((each) => (sum & DISAGREEMENT_BITS[each]) !== 0) === hasAny)
}
