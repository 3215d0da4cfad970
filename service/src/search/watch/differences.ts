// In which facts a CVE differs before and after a change, as bits: a query that reads none of them is met before if and
// only if it is met after.
import type { Facts } from './facts.ts'

/** A fact that a condition reads. */
export type FactName = keyof Facts['values'] | 'key' | 'names' | 'words' | 'urgentChanges'

/** A set of facts. */
export type Differences = number

const NO_DIFFERENCES: Differences = 0
/** A CVE that was added or removed differs in everything. */
export const ALL_DIFFERENCES: Differences = -1
/** Whether the catalog has the CVE: every query reads that. */
export const PRESENCE: Differences = 1 << 30

const VALUE_NAMES = {
  published: 0,
  modified: 1,
  epss: 2,
  score: 3,
  score_version: 4,
  priority: 5,
  ssvc: 6,
  disagreements: 7,
  maturity: 8,
  evidence_count: 9,
  cpe_count: 10,
  status: 11,
  assigner: 12,
  attack_vector: 13,
  kev_added: 14,
  cwes: 15,
  techniques: 16,
  sources: 17,
  flags: 18,
} as const satisfies Readonly<Record<keyof Facts['values'], number>>

/** The numbers of the bits. */
const BITS = { ...VALUE_NAMES, key: 19, names: 20, words: 21, urgentChanges: 22 } as const satisfies Readonly<
  Record<FactName, number>
>

export const toDifference = (name: FactName): Differences => 1 << BITS[name]

// The cast is safe: Object.keys returns the keys of the table.
const NAMES = Object.keys(VALUE_NAMES) as readonly (keyof Facts['values'])[]

export function findDifferences(before: Facts | undefined, after: Facts | undefined): Differences {
  if (!before || !after) return before === after ? NO_DIFFERENCES : ALL_DIFFERENCES
  let found = NO_DIFFERENCES
  if (before.values !== after.values)
    for (const name of NAMES) if (!isEqual(before.values[name], after.values[name])) found |= toDifference(name)
  if (!isEqual(before.products, after.products)) found |= toDifference('names')
  if (before.words !== after.words) found |= toDifference('words')
  if (before.urgentChanges.length !== after.urgentChanges.length) found |= toDifference('urgentChanges')
  return found
}

/** Compares lists and objects by their text. An equal set in another order counts as different, which costs only time. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}
