// What every judged component must fulfil: silence is only good news if complete and current databases were asked.

import { ensure } from './expect.mjs'

export const VERDICTS = ['affected', 'possibly_affected', 'not_covered', 'not_affected', 'no_known_advisory']
const CLEAN = ['not_affected', 'no_known_advisory']

export function neverCleanWithGap({ verdict, coverage_gap: gap, coverage }) {
  ensure(VERDICTS.includes(verdict), verdict)
  if (verdict === 'not_covered') ensure(gap !== null, 'not_covered without a coverage_gap')
  if (!CLEAN.includes(verdict)) return
  ensure(gap === null, `${verdict} in spite of the gap ${gap}`)
  ensure(coverage.length > 0, `${verdict} without a database`)
  for (const { source, complete, stale } of coverage)
    ensure(complete && !stale, `${verdict} although ${source} is ${complete ? 'stale' : 'incomplete'}`)
}
