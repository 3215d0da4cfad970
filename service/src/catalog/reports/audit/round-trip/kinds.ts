// The kinds of differences between a served value and the raw record of the source to which it is attributed.

export interface Kind {
  /** One sentence that says what is counted. */
  readonly sentence: string
  /** Set if the difference is intended; says why. Such kinds do not count towards the goal of 0. */
  readonly reason?: string
}

export const KINDS = {
  series: {
    sentence: 'a series such as 5.x is served as a range from its first version to the first one after it',
    reason: 'both are the same versions',
  },
  words: {
    sentence: 'a version or an end is part of a text of its source',
    reason: 'many CNAs write lists and sentences into one member',
  },
  'start-is-end': {
    sentence: 'a range has no start, because its source names a start that equals the end, such as 8.6 before 8.6.0',
    reason: 'no version lies between them; such sources mean every version before the end',
  },
  'commit-start': {
    sentence: 'a range has no start, because its source names a commit as the start and a version as the end',
    reason: 'commits and versions have no common order',
  },
  'branch-start': {
    sentence:
      'a range starts with a branch, because its source names the fixes of several branches as ends of one range',
    reason: 'the source does not write where a branch starts; the range is marked as derived',
  },
  'between-unaffected': {
    sentence: 'a range lies between the versions that its source calls unaffected',
    reason: 'the source calls every other version affected',
  },
  'stated-score': {
    sentence: 'the source states another CVSS 4.0 score than the base score, often one with threat metrics',
    reason: 'the service gives base scores, and shows the stated score beside them (decision C5)',
  },
  source: { sentence: 'a range names a source that says nothing about the CVE' },
  product: { sentence: 'a range names a product or package that its source does not name' },
  status: { sentence: 'a range is served as affected, or as unaffected, and its source says neither' },
  'end-included': { sentence: 'a range includes its end, and the source calls this version the first unaffected one' },
  'end-excluded': { sentence: 'a range excludes its end, and the source calls this version the last affected one' },
  'start-included': { sentence: 'a range includes its start, and the source excludes it' },
  end: { sentence: 'a range ends at a version that its source does not name as an end' },
  start: { sentence: 'a range starts at a version that its source does not name as a start' },
  'end-dropped': { sentence: 'a range has no end, and its source names one' },
  'start-dropped': { sentence: 'a range has no start, and its source names one' },
  'mixed-ends': { sentence: 'the start and the end of a range come from different ranges of its source' },
  'open-end': { sentence: 'a range has no end, and its source names only one version' },
  'open-end-from-text': { sentence: 'a range has no end, because its source names one that is no version' },
  version: { sentence: 'a single version is one that its source does not name' },
  'range-as-version': { sentence: 'a single version is the start of a range of its source' },
  fix: { sentence: 'a fix names a version that its source does not call fixed' },
  release: { sentence: 'a range names a release of a distribution that its source does not name' },
  vector: { sentence: 'a CVSS vector is one that its source does not give' },
  score: { sentence: 'a CVSS score is not the base score of its vector, or not the score that its source states' },
  weakness: { sentence: 'a weakness is one that its source does not name' },
  published: { sentence: 'a publication date is one that its source does not give' },
  modified: { sentence: 'a date of change is not that of a record of its source' },
  kev: { sentence: "an entry or a day differs from CISA's catalog or ENISA's" },
  rules: { sentence: 'a conclusion of ours names a version that no source names, or has no row of a source beside it' },
} as const satisfies Readonly<Record<string, Kind>>

export type DifferenceKind = keyof typeof KINDS

/** Intended differences have a reason. */
export function isIntended(kind: DifferenceKind): boolean {
  const { reason }: Kind = KINDS[kind]
  return reason !== undefined
}
