// Why a watch told something about a CVE, or did not: the answer for each change of the CVE, in plain words.
import type { WatchExplanation } from 'vis-sdk'
import { listTitles } from '../changes.ts'
import { joinWords } from '../join-words.ts'
import { KIND_WORDS, sortKinds } from './kinds.ts'
import { describeNamed } from './query.ts'

export type ExplainedChange = WatchExplanation['explained_changes'][number]

/** The filters of the search that said no, in its words. */
function describeFailed(names: readonly string[], query: string): string {
  return joinWords(
    describeNamed(names, query).map((words) => `“${words}”`),
    'and',
  )
}

/** What happened to the CVE: "Added to KEV, fix named". */
export function describeChange({ types }: ExplainedChange): string {
  const words = listTitles({ types }).map((title) => title.words)
  return words.length === 0 ? 'Its record changed' : words.join(', ')
}

/** What the watch made of the change. */
export function describeOutcome(change: ExplainedChange, query: string): string {
  const { matched_before: before, matched_after: after, failed_filters: failed, no_event_because: reason } = change
  const told = sortKinds(change.on).map((kind) => `“${KIND_WORDS[kind].happened.toLowerCase()}”`)
  if (change.event_nr !== null)
    return `You were told: ${joinWords(told)}.${change.muted ? ' The event was muted.' : ''}`
  const others = sortKinds(change.other_kinds).map((kind) => `“${KIND_WORDS[kind].choice}”`)
  switch (reason) {
    case 'not_in_search':
      return failed.length === 0
        ? 'Not told: the search did not find it.'
        : `Not told: the search did not find it, because ${describeFailed(failed, query)} did not hold.`
    case 'not_asked':
      return `Not told: the watch does not ask when a CVE ${joinWords(others, 'or')}.`
    case 'nothing_to_tell':
      return 'Not told: it was in the search before and after, and nothing happened that a watch can tell.'
    case 'recalculated':
      return `Not told alone: it ${before && !after ? 'left' : 'entered'} by a change of a cause without events of its own, such as new rules. One event counts it with others.`
    case 'not_watched':
      return `Not told: the watch did not exist then, or was paused. The search ${after ? 'would have found it' : 'would not have found it'}.`
    case 'not_judged_yet':
      return 'Not judged yet. Ask again in a moment.'
    default:
      return 'There should be an event, but there is none. Please tell the operator of this service.'
  }
}

/** The answer in one sentence. */
export function summariseExplanation(explanation: WatchExplanation, query: string): string {
  const { matches_now: matches, failed_now: failed, explained_changes: changes } = explanation
  const told = changes.filter(({ event_nr: nr }) => nr !== null).length
  const now = matches
    ? 'The search finds it now.'
    : `The search does not find it now${failed.length === 0 ? '' : `: ${describeFailed(failed, query)} ${failed.length === 1 ? 'does' : 'do'} not hold`}.`
  if (told > 0) return `You were told ${told === 1 ? 'once' : `${told} times`}. ${now}`
  return changes.length === 0 ? `No change of it is known in this time. ${now}` : `You were not told. ${now}`
}
