// Which of the conditions that open a state again can still come true for the CVEs that it is about.
import type { Level, TriageEntry } from 'vis-sdk'

export interface Urgency {
  readonly isExploited: boolean
  /** Null or undefined without a level. */
  readonly level: Level | null | undefined
}

type Reopener = TriageEntry['unless'][number]

/** Explains why the condition cannot come true for any of the CVEs; undefined if it can. */
export function describeIdleReopener(reopener: Reopener, cves: readonly Urgency[]): string | undefined {
  const isOne = cves.length === 1
  if (cves.length === 0) return undefined
  if (reopener === 'exploited' && cves.every(({ isExploited }) => isExploited))
    return `${isOne ? 'It is' : 'They are'} known to be exploited already, so that opens nothing again.`
  if (reopener === 'priority_raised' && cves.every(({ level }) => level === 'P0'))
    return `${isOne ? 'Its level is' : 'Their level is'} P0 already, the most urgent one, so it cannot rise.`
  return undefined
}
