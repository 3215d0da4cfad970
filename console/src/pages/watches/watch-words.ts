// The state and the newest event of a watch, in words.
import type { Watch, WatchPage } from 'vis-sdk'
import { formatDate } from '../../text/date-words.ts'
import { formatNumber, formatTimeAgo } from '../../text/format.ts'
import { joinWords } from '../../text/join-words.ts'
import { KIND_WORDS, sortKinds } from '../../text/watch/kinds.ts'

type Dot = 'good' | 'quiet' | 'high'

export function describeState({ state, snoozed_until: until, warning }: Watch): {
  readonly dot: Dot
  readonly words: string
} {
  switch (state) {
    case 'paused':
      return { dot: 'quiet', words: 'Paused: tells nothing' }
    case 'snoozed':
      return { dot: 'quiet', words: `Snoozed until ${until === null ? 'further notice' : formatDate(until)}` }
    case 'active':
      return warning === undefined
        ? { dot: 'good', words: 'Watching' }
        : { dot: 'high', words: 'Watching, many events' }
  }
}

/** "CVE-2026-1111: entered your search, 2 days ago"; undefined if there is none. */
export function describeLastEvent({ last_event: last }: Watch, now: Date): string | undefined {
  if (last === null) return undefined
  const ago = formatTimeAgo(last.told_at, now)
  if (last.cve_id === null) return `About several CVEs, ${ago}`
  const [first, ...others] = sortKinds(last.on).map((kind) => KIND_WORDS[kind].happened.toLowerCase())
  const words =
    first === undefined ? '' : ` ${joinWords([first, ...(others.length > 0 ? [`${others.length} more`] : [])])}`
  return `${last.cve_id}${words}, ${ago}`
}

/** How far watches were judged. As long as they lag, silence means nothing yet. */
export function describeEvaluated({ position, newest }: WatchPage['evaluated']): string {
  if (position === null) return 'No change of the catalog was judged yet'
  const behind = toSeq(newest) - toSeq(position)
  if (behind <= 0) return 'Every change of the catalog was judged'
  return `${formatNumber(behind)} ${behind === 1 ? 'change' : 'changes'} of the catalog not judged yet`
}

const toSeq = (position: string) => Number(position.split(':')[0])
