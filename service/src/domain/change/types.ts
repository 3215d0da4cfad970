// The types of changes by which callers filter. The API's schema and the guide are generated from this table.

import { baseSeverity } from '../cvss/severity.ts'
import { EXPLOIT_MATURITIES, type ExploitMaturity, rankMaturity } from '../exploitation/exploit-maturity.ts'
import { LEVELS, URGENT_LEVELS } from '../priority/policy.ts'
import type { ChangeContent, DiffMember, OldAndNew } from './change.ts'

interface TypeRule {
  readonly meaning: string
  applies(change: ChangeContent): boolean
}

const REJECTED = 'Rejected'
/** `affected`: the versions that /match and /sbom compare with, which are in no member of a record. */
const AFFECTED_FIELDS = ['affected', 'cpe', 'configurations']
const NO_DIFFERENCE: OldAndNew = { old: null, new: null }

const RULES = {
  loaded: {
    meaning:
      'The first load of the catalog is complete. The CVEs that it brought have no changes of their own: diff counts them, and a snapshot has their records.',
    applies: ({ kind }) => kind === 'loaded',
  },
  published: { meaning: 'The CVE is new in the catalog.', applies: ({ kind }) => kind === 'added' },
  rejected: {
    meaning: 'The CVE was rejected.',
    applies: (change) => becomes(change, 'status', REJECTED),
  },
  unrejected: {
    meaning: 'The rejection of the CVE was withdrawn.',
    applies: (change) => differs(change, 'status') && compare(change, 'status').old === REJECTED,
  },
  removed: { meaning: 'No source lists the CVE any more.', applies: ({ kind }) => kind === 'removed' },
  score_changed: { meaning: 'The base score changed.', applies: (change) => differs(change, 'severity') },
  severity_band_changed: {
    meaning: 'The base score moved to another severity level, or is the first or no longer there.',
    applies: (change) => {
      const { old, new: current } = compare(change, 'severity')
      return toBand(old) !== toBand(current)
    },
  },
  status_changed: { meaning: "The status of NVD's analysis changed.", applies: (change) => differs(change, 'status') },
  kev_added: {
    meaning: 'CISA added the CVE to KEV.',
    applies: (change) => differs(change, 'kev.dateAdded') && compare(change, 'kev.dateAdded').old === null,
  },
  kev_removed: {
    meaning: 'CISA removed the CVE from KEV.',
    applies: (change) => differs(change, 'kev.dateAdded') && compare(change, 'kev.dateAdded').new === null,
  },
  kev_updated: {
    meaning: 'The KEV entry of the CVE changed.',
    applies: (change) => {
      const { old, new: current } = change.diff['kev.dateAdded'] ?? { old: '', new: '' }
      return change.fields.includes('kev') && old !== null && current !== null
    },
  },
  eu_kev_added: {
    meaning: 'ENISA added the CVE to EU KEV.',
    applies: (change) => becomes(change, 'eu_kev.listed', true),
  },
  eu_kev_removed: {
    meaning: 'ENISA removed the CVE from EU KEV.',
    applies: (change) => becomes(change, 'eu_kev.listed', false),
  },
  ransomware_added: {
    meaning: 'KEV says that ransomware campaigns use the CVE, and did not say so before.',
    applies: (change) => becomes(change, 'kev.knownRansomware', true),
  },
  exploit_added: {
    meaning: 'There is public evidence of an exploit, and there was none before (exploit_flag).',
    applies: (change) => becomes(change, 'enrichment.exploit_flag', true),
  },
  maturity_raised: {
    meaning: 'The exploits of the CVE are more mature than before.',
    applies: (change) => {
      const { old, new: current } = compare(change, 'exploits.maturity')
      return toMaturityRank(current) > toMaturityRank(old)
    },
  },
  epss_jump: {
    meaning:
      'The EPSS score moved by at least 0.05, or to at least three times or at most a third of its value with the larger of both at least 0.01. Only scores of the same model are compared.',
    applies: (change) => differs(change, 'epss.score'),
  },
  patch_added: {
    meaning: 'A source names a fix, and none did before.',
    applies: (change) => becomes(change, 'enrichment.patch_available', true),
  },
  affected_changed: {
    meaning: 'The affected products or versions changed.',
    applies: ({ fields }) => AFFECTED_FIELDS.some((field) => fields.includes(field)),
  },
  cwe_changed: { meaning: 'The weaknesses changed.', applies: (change) => differs(change, 'enrichment.cwe_list') },
  notice_added: {
    meaning: 'A further ACSC notice names the CVE.',
    applies: (change) => {
      const { old, new: current } = compare(change, 'acsc.count')
      return Number(current) > Number(old)
    },
  },
  priority_raised: {
    meaning: 'The priority level is more urgent than before.',
    applies: (change) => moveOfLevel(change) > 0,
  },
  priority_lowered: {
    meaning: 'The priority level is less urgent than before.',
    applies: (change) => moveOfLevel(change) < 0,
  },
  became_urgent: {
    meaning: 'The priority level is P0 or P1 and was below before, or the CVE is new and has such a level.',
    applies: (change) => {
      const { old, new: current } = compare(change, 'priority.level')
      return isUrgent(current) && !isUrgent(old)
    },
  },
  epss_released: {
    meaning:
      'FIRST released new EPSS scores for all CVEs. The change names no CVE: the scores are in the records, and only jumps have changes of their own.',
    applies: ({ kind, diff }) => kind === 'epss' && diff['epss.score'] === undefined,
  },
  epss_model_changed: {
    meaning: 'The EPSS release has another model, so its scores cannot be compared with earlier ones.',
    applies: (change) => differs(change, 'epss.model_version') && compare(change, 'epss.model_version').old !== null,
  },
  advisory_published: {
    meaning: 'An advisory without a CVE is new, such as GHSA-… or GO-…. Listed only if types names it.',
    applies: (change) => differs(change, 'advisory.id') && compare(change, 'advisory.id').old === null,
  },
  advisory_changed: {
    meaning: 'An advisory without a CVE changed: its packages, versions or rating. Listed only if types names it.',
    applies: (change) => {
      const { old, new: current } = compare(change, 'advisory.id')
      return old !== null && current !== null
    },
  },
  advisory_withdrawn: {
    meaning:
      'An advisory without a CVE was withdrawn, or is no longer listed by itself: its source dropped it, or it is now part of a CVE or of another advisory. Listed only if types names it.',
    applies: (change) => differs(change, 'advisory.id') && compare(change, 'advisory.id').new === null,
  },
  rules_changed: {
    meaning:
      'The rules of the service, or the CWE and ATT&CK data that they use, changed. Changes with the cause rules follow.',
    applies: ({ kind }) => kind === 'rules',
  },
} as const satisfies Readonly<Record<string, TypeRule>>

/** The type of a change to which no other type applies. */
const UPDATED = 'updated'

export type ChangeType = keyof typeof RULES | typeof UPDATED

export const CHANGE_TYPES: Readonly<Record<ChangeType, string>> = {
  ...mapMeanings(RULES),
  [UPDATED]: 'Another member of the record changed, such as the description or a reference.',
}

/**
 * Types that few changes have: 2 % of the changes of 45 weekly imports. The index change_of_rare_type has exactly the
 * rows with one of them. EPSS jumps are not rare, they are 19 %.
 */
export const RARE_TYPES: readonly ChangeType[] = [
  'became_urgent',
  'epss_model_changed',
  'epss_released',
  'eu_kev_added',
  'eu_kev_removed',
  'exploit_added',
  'kev_added',
  'kev_removed',
  'kev_updated',
  'loaded',
  'maturity_raised',
  'notice_added',
  'ransomware_added',
  'rejected',
  'removed',
  'rules_changed',
  'unrejected',
]

/** Types that are listed only if a caller names them. A change with one of them has no other types. */
export const TYPES_ON_REQUEST: readonly ChangeType[] = ['advisory_changed', 'advisory_published', 'advisory_withdrawn']

export function findChangeTypes(change: ChangeContent): readonly ChangeType[] {
  const found = (Object.keys(RULES) as (keyof typeof RULES)[]).filter((type) => RULES[type].applies(change))
  return found.length === 0 ? [UPDATED] : found.toSorted()
}

function compare({ diff }: ChangeContent, member: DiffMember): OldAndNew {
  return diff[member] ?? NO_DIFFERENCE
}

const differs = ({ diff }: ChangeContent, member: DiffMember) => diff[member] !== undefined

const becomes = (change: ChangeContent, member: DiffMember, value: unknown) =>
  differs(change, member) && compare(change, member).new === value && compare(change, member).old !== value

const toBand = (score: unknown) => (typeof score === 'number' ? baseSeverity(score) : null)

function toMaturityRank(value: unknown): number {
  const maturity = EXPLOIT_MATURITIES.find((each): each is ExploitMaturity => each === value)
  return maturity === undefined ? 0 : rankMaturity(maturity)
}

const isUrgent = (level: unknown) => URGENT_LEVELS.some((urgent) => urgent === level)

/** Positive for a more urgent level, negative for a less urgent one. */
function moveOfLevel(change: ChangeContent): number {
  const { old, new: current } = compare(change, 'priority.level')
  const [before, after] = [findUrgency(old), findUrgency(current)]
  return before === undefined || after === undefined ? 0 : after - before
}

function findUrgency(value: unknown): number | undefined {
  const level = LEVELS.find((each) => each === value)
  return level && LEVELS.length - LEVELS.indexOf(level)
}

function mapMeanings<K extends string>(rules: Readonly<Record<K, TypeRule>>): Readonly<Record<K, string>> {
  return Object.fromEntries(Object.entries<TypeRule>(rules).map(([type, { meaning }]) => [type, meaning])) as Record<
    K,
    string
  >
}
