// Judges changes against searches: what each watch tells about a CVE, from the record before and after the change.
import { findKinds, findOwnCause } from '../../domain/watch/find-kinds.ts'
import { type Lookups, listFailed } from '../../search/watch/query.ts'
import type { QueryIndex } from '../../search/watch/query-index.ts'
import type { FindingCollector } from './findings.ts'
import type { JudgedChange } from './judged-change.ts'
import { type News, toNews } from './news.ts'
import type { LogRow } from './read-log.ts'
import type { QueryGroup, Span } from './spans.ts'

/** Whether the span judges a row of the log; spans that were judged further wait for later rows. */
export type IsJudgedBy = (span: Span, row: LogRow) => boolean

export interface JudgeOptions {
  readonly index: QueryIndex<QueryGroup>
  readonly isJudgedBy: IsJudgedBy
  readonly lookups: Lookups
  readonly findings: FindingCollector
}

export function judgeChange(change: JudgedChange, options: JudgeOptions): void {
  const { row, around } = change
  // A change that tells nothing of a CVE that stays inside concerns only queries that read what differs.
  const onlyDiffering = findKinds(row, { before: true, after: true }).length === 0
  const matches = options.index.match({ ...around, time: row.at }, options.lookups, { onlyDiffering })
  const shared: SharedNews = { news: undefined }
  for (const { items, isBefore, isAfter } of matches)
    for (const group of items) tell(change, { group, before: isBefore, after: isAfter }, options, shared)
}

interface Membership {
  readonly group: QueryGroup
  readonly before: boolean
  readonly after: boolean
}

/** The same for all watches; made when the first one tells it. */
interface SharedNews {
  news: News | undefined
}

function tell(change: JudgedChange, membership: Membership, options: JudgeOptions, shared: SharedNews): void {
  const { isJudgedBy, lookups, findings } = options
  const { group, before, after } = membership
  const { row } = change
  const kinds = findKinds(row, membership)
  const shiftedBy = before === after ? undefined : findOwnCause(row)
  if (kinds.length === 0 && shiftedBy === undefined) return
  let reasons: readonly string[] | undefined
  for (const span of group.spans.values()) {
    if (!isJudgedBy(span, row) || !findings.isWanted(span)) continue
    if (shiftedBy) findings.addShift({ span, change, cause: shiftedBy, direction: after ? 'entered' : 'left' })
    const told = kinds.filter((kind) => span.kinds.has(kind))
    if (told.length === 0) continue
    const hasEntered = told.includes('entered')
    if (hasEntered) reasons ??= findReasons(group, change, lookups)
    shared.news ??= toNews(change)
    findings.addMatch({ span, news: shared.news, kinds: told, enteredBy: hasEntered ? (reasons ?? []) : [] })
  }
}

/** The filters that did not hold before; `published` for a CVE that was not in the catalog. */
function findReasons({ stored }: QueryGroup, { row, around }: JudgedChange, lookups: Lookups): readonly string[] {
  return around.before ? listFailed(stored.on(row.at), around.before, lookups) : ['published']
}
