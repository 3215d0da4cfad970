// What a watch can tell, in words for people.
import type { WatchKind } from 'vis-sdk'
import type { EventKind } from '../event.ts'

interface KindWords {
  /** Ends the sentence "Tell me when a CVE …". */
  readonly choice: string
  /** Says what happened, for a line of the inbox. */
  readonly happened: string
  readonly icon: EventKind
}

/** In the order in which a person chooses them, and in which a line of the inbox names them. */
export const KIND_WORDS: Readonly<Record<WatchKind, KindWords>> = {
  entered: { choice: 'enters the search', happened: 'Entered your search', icon: 'level' },
  exploited: { choice: 'becomes exploited', happened: 'Exploited', icon: 'exploited' },
  ransomware_added: {
    choice: 'is used by ransomware, as KEV says',
    happened: 'Used by ransomware',
    icon: 'exploited',
  },
  priority_raised: { choice: 'gets a more urgent level', happened: 'More urgent level', icon: 'level' },
  exploit_added: {
    choice: 'gets first evidence of an exploit',
    happened: 'First evidence of an exploit',
    icon: 'exploit',
  },
  patch_added: { choice: 'gets a named fix', happened: 'Fix named', icon: 'fix' },
  epss_rise: { choice: 'gets a clearly higher EPSS score', happened: 'EPSS rose', icon: 'trend' },
  left: { choice: 'leaves the search', happened: 'Left your search', icon: 'other' },
  affected_changed: {
    choice: 'gets other affected products or versions',
    happened: 'Affected products or versions changed',
    icon: 'other',
  },
  became_urgent: { choice: 'becomes P0 or P1', happened: 'Became P0 or P1', icon: 'level' },
  kev_added: { choice: 'is added to CISA KEV', happened: 'Added to CISA KEV', icon: 'exploited' },
  eu_kev_added: { choice: 'is added to EU KEV', happened: 'Added to EU KEV', icon: 'exploited' },
  maturity_raised: { choice: 'gets exploits of a higher maturity', happened: 'Exploits matured', icon: 'exploit' },
  score_changed: { choice: 'gets another base score', happened: 'Base score changed', icon: 'other' },
  severity_band_changed: { choice: 'gets another severity', happened: 'Severity changed', icon: 'other' },
  notice_added: { choice: 'is named in an ACSC notice', happened: 'Named in an ACSC notice', icon: 'other' },
  kev_updated: { choice: 'gets an edited KEV entry', happened: 'KEV entry edited', icon: 'other' },
  kev_removed: { choice: 'is removed from CISA KEV', happened: 'Removed from CISA KEV', icon: 'other' },
  eu_kev_removed: { choice: 'is removed from EU KEV', happened: 'Removed from EU KEV', icon: 'other' },
  priority_lowered: { choice: 'gets a less urgent level', happened: 'Less urgent level', icon: 'other' },
  epss_fall: { choice: 'gets a clearly lower EPSS score', happened: 'EPSS fell', icon: 'other' },
  cwe_changed: { choice: 'gets other weaknesses', happened: 'Weaknesses changed', icon: 'other' },
  status_changed: { choice: 'gets another status in NVD', happened: 'Status in NVD changed', icon: 'other' },
  rejected: { choice: 'is rejected', happened: 'Rejected', icon: 'other' },
  unrejected: { choice: 'is no longer rejected', happened: 'Rejection withdrawn', icon: 'other' },
  updated: { choice: 'is edited in any other way', happened: 'Edited', icon: 'other' },
}

// The cast is safe: the keys of the table are the kinds.
export const KINDS = Object.keys(KIND_WORDS) as readonly WatchKind[]

/** What a new watch tells, until the person chooses. */
export const DEFAULT_KINDS: readonly WatchKind[] = ['entered', 'exploited', 'ransomware_added', 'priority_raised']

/** The kinds that are shown at once in the dialog. The others are one click away. */
export const FIRST_KINDS: readonly WatchKind[] = [...DEFAULT_KINDS, 'exploit_added', 'patch_added', 'epss_rise']

export function isKind(text: string): text is WatchKind {
  return Object.hasOwn(KIND_WORDS, text)
}

export const sortKinds = (kinds: readonly WatchKind[]): readonly WatchKind[] =>
  KINDS.filter((kind) => kinds.includes(kind))

/** Lists what a watch tells: "enters the search, becomes exploited or gets a named fix". */
export const listChoices = (kinds: readonly WatchKind[]): readonly string[] =>
  sortKinds(kinds).map((kind) => KIND_WORDS[kind].choice)
