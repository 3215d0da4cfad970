/**
 * Subjects on which the sources of a CVE can disagree, with their bits in the column `disagreements` of catalog.cve.
 */
export const DISAGREEMENT_BITS = { score: 1, affected: 2, rejected: 4, kev_ssvc: 8 } as const

export type Disagreement = keyof typeof DISAGREEMENT_BITS

export const DISAGREEMENTS = Object.keys(DISAGREEMENT_BITS) as Disagreement[]

const ALL_BITS = Object.values(DISAGREEMENT_BITS).reduce((sum, bit) => sum + bit, 0)

/** Lists the values of the column `disagreements` in catalog.cve that contain any of the subjects, or none of them. */
export function listDisagreementSums(subjects: readonly Disagreement[], hasAny: boolean): readonly number[] {
  const sums = Array.from({ length: ALL_BITS + 1 }, (_, sum) => sum)
  return sums.filter((sum) => subjects.some((each) => (sum & DISAGREEMENT_BITS[each]) !== 0) === hasAny)
}
