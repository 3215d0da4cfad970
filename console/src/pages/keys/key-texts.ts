// Texts about API keys.
import type { ApiKey } from 'vis-sdk'
import { DAY_MS } from '../../text/days.ts'
import { formatTime } from '../../text/format.ts'

/** Keys that expire within this time are marked. */
const SOON_DAYS = 14

/** Returns the name of a key, or the visible part of the key if it has no name. */
export function nameKey({ name, prefix, last_four }: ApiKey): string {
  return name ?? `${prefix}…${last_four}`
}

interface KeyNote {
  readonly text: string
  readonly tone: 'neutral' | 'high'
  /** Further text next to the mark. */
  readonly detail?: string
}

/** Describes a key's state if it deserves attention: replaced, about to expire, expired or revoked. */
export function describeKeyState(key: ApiKey, now: Date): KeyNote | undefined {
  const { state, replaced_by, expires_at } = key
  if (state !== 'active') return { text: state, tone: 'neutral' }
  if (expires_at === null) return undefined
  const days = Math.ceil((Date.parse(expires_at) - now.getTime()) / DAY_MS)
  if (replaced_by !== null) return { text: 'replaced', tone: 'high', detail: `until ${formatTime(expires_at)}` }
  if (days > SOON_DAYS) return undefined
  return { text: days <= 1 ? 'expires within a day' : `expires in ${days} days`, tone: 'high' }
}

/** Splits a list of addresses and networks at commas and white space. */
export function splitAddresses(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((each) => each !== ''))]
}
