// What a watch can tell: the words of `on`. The API's schema and the guide are generated from this table.
import { CHANGE_TYPES, type ChangeType } from '../change/types.ts'

/** Words with a rule of their own (domain/watch/find-kinds.ts). */
const OWN_KINDS = {
  entered:
    'The CVE enters the search: it is new, or a product, a score or a level that the search asks for was added to it. Told once per stay.',
  left: 'The CVE leaves the search, such as after a correction of its products, a lower score or a rejection.',
  exploited:
    'A CVE of the search was added to KEV or EU KEV, or a source now reports exploitation or a ransomware campaign. Told whatever the cause of the change.',
  epss_rise: 'The EPSS score of a CVE of the search rose as far as the type epss_jump of /changes says.',
  epss_fall: 'The EPSS score of a CVE of the search fell as far as the type epss_jump of /changes says.',
} as const

type OwnKind = keyof typeof OWN_KINDS

/** Types of changes that are no words of `on`: they name no CVE, or a word above says the same. */
const TYPES_WITHOUT_KIND = [
  'published',
  'removed',
  'epss_jump',
  'epss_released',
  'epss_model_changed',
  'rules_changed',
  'loaded',
  'advisory_published',
  'advisory_changed',
  'advisory_withdrawn',
] as const satisfies readonly ChangeType[]

/** Types of changes that a watch tells of a CVE that is in the search after the change. */
export type TypeKind = Exclude<ChangeType, (typeof TYPES_WITHOUT_KIND)[number]>

export type WatchKind = OwnKind | TypeKind

const TYPE_KINDS = (Object.keys(CHANGE_TYPES) as ChangeType[])
  .filter((type): type is TypeKind => !TYPES_WITHOUT_KIND.some((each) => each === type))
  .toSorted()

/** All words with their meanings. */
export const WATCH_KINDS = {
  ...OWN_KINDS,
  ...(Object.fromEntries(TYPE_KINDS.map((type) => [type, CHANGE_TYPES[type]])) as Record<TypeKind, string>),
} as const satisfies Record<WatchKind, string>

export const WATCH_KIND_NAMES = Object.keys(WATCH_KINDS) as WatchKind[]

/** The words of `on` for a watch that is created without `on`. */
export const DEFAULT_WATCH_KINDS: readonly WatchKind[] = ['entered', 'exploited', 'ransomware_added', 'priority_raised']

export const isTypeKind = (word: string): word is TypeKind => TYPE_KINDS.some((each) => each === word)
