// Chooses what the evaluator does next, from its position, the newest position of the log, and the spans.
import type { LogPosition, LogRow } from './read-log.ts'
import type { Span } from './spans.ts'

/** The rows with from < seq <= to are judged by the spans. */
export interface JudgedRange {
  /** catch-up: spans that were opened behind the position. follow: all spans, from the position on. */
  readonly kind: 'catch-up' | 'follow'
  readonly from: bigint
  readonly to: LogPosition
  readonly spans: readonly Span[]
}

export const isOpenAfter = ({ until }: Span, seq: bigint) => until === null || until > seq

/** A span that ends at or before the place up to which it was judged. */
export const isFinished = ({ until, done }: Span, position: bigint) => until !== null && (done ?? position) >= until

export function planRange(position: LogPosition, newest: LogPosition, spans: Iterable<Span>): JudgedRange {
  const unfinished = [...spans].filter((span) => !isFinished(span, position.seq))
  const behind = unfinished.filter(({ done }) => done !== null && done < position.seq)
  const [first] = behind.map(({ done }) => done ?? position.seq).toSorted((one, other) => (one < other ? -1 : 1))
  if (first !== undefined) return { kind: 'catch-up', from: first, to: position, spans: behind }
  return {
    kind: 'follow',
    from: position.seq,
    to: newest,
    spans: unfinished.filter((span) => isOpenAfter(span, position.seq)),
  }
}

/** Returns whether a span judges a row: it is one of the range, was not judged so far, and had not ended. */
export function createJudgedBy({ spans }: JudgedRange): (span: Span, row: LogRow) => boolean {
  const judging = new Set(spans)
  return (span, { seq }) => (span.done === null || seq > span.done) && isOpenAfter(span, seq - 1n) && judging.has(span)
}
