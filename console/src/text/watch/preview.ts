// What a watch would have told in the last days, in words.
import type { WatchKind, WatchPreview } from 'vis-sdk'
import { formatNumber } from '../format.ts'

export type KindCount = WatchPreview['by_kind'][number]

/** How often each kind happened; a kind that did not happen is missing. */
export function countKinds({ by_kind: counts }: WatchPreview): ReadonlyMap<string, KindCount> {
  return new Map(counts.map((count) => [count.kind, count]))
}

/** "With what is chosen: at most 16 events in 30 days, about 4 a week." */
export function describeAmount(preview: WatchPreview, kinds: readonly WatchKind[]): string {
  const counts = countKinds(preview)
  const days = preview.judged_days.length
  const note = preview.is_complete ? '' : ' The service could not look at all of the last 30 days.'
  if (days === 0) return 'The service knows no change of the last 30 days.'
  const totals = kinds.map((kind) => counts.get(kind)?.count ?? 0)
  const sum = totals.reduce((all, total) => all + total, 0)
  if (sum === 0) return `What is chosen did not happen in ${countDays(days)}.${note}`
  // One event can have several kinds.
  const isExact = totals.filter((total) => total > 0).length === 1
  const amount = `${isExact ? '' : 'at most '}${formatNumber(sum)} ${sum === 1 ? 'event' : 'events'}`
  return `With what is chosen: ${amount} in ${countDays(days)}${describePerWeek(sum, days)}.${note}`
}

export const countDays = (days: number): string => (days === 1 ? '1 day' : `${formatNumber(days)} days`)

const WEEK = 7

function describePerWeek(sum: number, days: number): string {
  if (days < WEEK) return ''
  const perWeek = Math.round((sum / days) * WEEK)
  return perWeek === 0 ? ', less than one a week' : `, about ${formatNumber(perWeek)} a week`
}
