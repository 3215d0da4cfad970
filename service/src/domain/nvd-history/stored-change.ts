// The form in which changes of NVD's records are stored (ADR 0033): one JSON list per CVE, oldest change first. It holds
// only the members that an answer shows or that a record of an earlier day needs.

/** NVD's names for the members, by the letters that are stored. */
export const DETAIL_TYPES = {
  D: 'Description',
  C2: 'CVSS V2',
  C3: 'CVSS V3',
  C31: 'CVSS V3.1',
  C4: 'CVSS V4.0',
  W: 'CWE',
  R: 'Reference',
  P: 'CPE Configuration',
} as const

export type DetailType = keyof typeof DETAIL_TYPES

export const ACTIONS = { A: 'Added', C: 'Changed', R: 'Removed' } as const

export type Action = keyof typeof ACTIONS

/** A text; null if NVD states none; 0 if it is not stored, because nothing needs it or because it was cut. */
export type Value = string | null | 0

export type Detail = readonly [type: DetailType, action: Action, old: Value, current: Value]

export type StoredChange = readonly [
  /** The first 64 bits of NVD's id of the change, which tell the changes of a CVE apart. */
  key: string,
  /** When NVD recorded the change, in milliseconds since 1970. */
  at: number,
  event: string,
  /** NVD's identifier of the organisation that made the change, such as `nvd@nist.gov`. */
  source: string,
  details: readonly Detail[],
]

/** Returns the changes oldest first. */
export function parseChanges(text: string): readonly StoredChange[] {
  return JSON.parse(text)
}
