// Judges changes against searches: what each watch tells about a CVE, from the record before and after the change.
import { findKinds, findOwnCause } from '../../domain/watch/find-kinds.ts'
import type { Facts } from '../../search/watch/facts.ts'

import { type Lookups, listFailed } from '../../search/watch/query.ts'
import type { FindingCollector } from './findings.ts'
import type { JudgedChange } from './judged-change.ts'
import { type News, toNews } from './news.ts'
import type { LogRow } from './read-log.ts'
import type { QueryGroup, Span } from './spans.ts'

/** Returns the groups whose search has the CVE on the day of a time. */
export type FindHits = (facts: Facts, lookups: Lookups, time: Date) => Iterable<QueryGroup>

/** Whether the span judges a row of the log; spans that were judged further wait for later rows. */
export type IsJudgedBy = (span: Span, row: LogRow) => boolean

export interface JudgeOptions {
  readonly findHits: FindHits
  readonly isJudgedBy: IsJudgedBy
  readonly lookups: Lookups
  readonly findings: FindingCollector
}

export function judgeChange(change: JudgedChange, { findHits, isJudgedBy, lookups, findings }: JudgeOptions): void {
  const { row, around } = change
  const find = (facts: Facts | undefined) => new Set(facts ? findHits(facts, lookups, row.at) : [])
  const [before, after] = [find(around.before), find(around.after)]
  const ownCause = findOwnCause(row)
  let news: News | undefined
  for (const group of new Set([...before, ...after])) {
    const membership = { before: before.has(group), after: after.has(group) }
    const kinds = findKinds(row, membership)
    const shift = ownCause !== undefined && membership.before !== membership.after
    if (kinds.length === 0 && !shift) continue
    let enteredBy: readonly string[] | undefined
    for (const span of group.spans.values()) {
      if (!isJudgedBy(span, row) || !findings.isWanted(span)) continue
      if (ownCause !== undefined && shift)
        findings.addShift({ span, change, cause: ownCause, direction: membership.after ? 'entered' : 'left' })
      const told = kinds.filter((kind) => span.kinds.has(kind))
      if (told.length === 0) continue
      if (told.includes('entered')) enteredBy ??= findReasons(group, change, lookups)
      news ??= toNews(change)
      findings.addMatch({ span, news, kinds: told, enteredBy: told.includes('entered') ? (enteredBy ?? []) : [] })
    }
  }
}

/** The filters that did not hold before; `published` for a CVE that was not in the catalog. */
function findReasons({ stored }: QueryGroup, { row, around }: JudgedChange, lookups: Lookups): readonly string[] {
  return around.before ? listFailed(stored.on(row.at), around.before, lookups) : ['published']
}
