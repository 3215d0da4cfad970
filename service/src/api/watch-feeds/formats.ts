// What both forms of a feed say about an event.
import type { FeedFormat } from '../../contract/watches/feed.ts'
import { toEventId } from '../../domain/watch/event-id.ts'
import type { RenderedEvent } from '../self-service/events.ts'

export const MEDIA_TYPES = {
  atom: 'application/atom+xml',
  json: 'application/feed+json',
} as const satisfies Record<FeedFormat, string>

export interface Feed {
  readonly watchId: string
  readonly name: string
  readonly changedAt: Date
  /** Newest first. */
  readonly events: readonly RenderedEvent[]
}

export interface FeedItem {
  readonly id: string
  readonly title: string
  readonly content: string
  readonly time: string
  readonly tags: readonly string[]
  readonly url: string | undefined
}

export const identifyFeed = ({ watchId }: Feed) => toUrn(toEventId({ watchId, seq: null, subject: 'feed' }))

const toUrn = (id: string) => `urn:uuid:${id}`

export function toItem(event: RenderedEvent, { name }: Feed): FeedItem {
  const { id, summary, recorded_at: time, on, url } = event
  const content = [summary, ...describeDiff(event)].join('\n')
  return { id: toUrn(id), title: clean(toTitle(event, name)), content: clean(content), time, tags: on, url }
}

/** Returns the title of an entry, such as "P0 CVE-2026-1111 entered, exploited: Edge devices". */
function toTitle({ type, cve_id: cveId, on, record_after: record }: RenderedEvent, name: string): string {
  if (type === 'recalculated') return `${name}: CVEs entered or left without events of their own`
  if (type === 'gap') return `${name}: changes could not be judged`
  const level = record?.priority_level
  return `${level ? `${level} ` : ''}${cveId} ${on.join(', ')}: ${name}`
}

function describeDiff({ diff }: RenderedEvent): readonly string[] {
  return Object.entries(diff).map(([member, values]) => `${member}: ${format(values.old)} → ${format(values.new)}`)
}

const format = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

/**
 * Removes what could change how the rest of a text is shown: control characters except line ends, and the marks that
 * reverse the direction of writing. Characters that XML cannot contain are among them.
 */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll(UNSHOWN, '')
}

const UNSHOWN = /[^\P{Cc}\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu
