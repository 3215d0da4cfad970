// Subjects about which the sources of a CVE can disagree, with their bits in catalog.cve.disagreements.

export const DISAGREEMENTS = { score: 1, affected: 2, rejected: 4, kev_ssvc: 8 } as const

export type Disagreement = keyof typeof DISAGREEMENTS
