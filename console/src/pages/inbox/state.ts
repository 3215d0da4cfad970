// The state of the page in its address: the filters, and the event that is shown.
import type { WatchKind } from 'vis-sdk'
import { isKind, sortKinds } from '../../text/watch/kinds.ts'

export type Show = 'all' | 'unread' | 'muted'

export interface InboxState {
  readonly show: Show
  readonly watch: string | undefined
  readonly team: string | undefined
  readonly on: readonly WatchKind[]
  /** Number of an event: the item that contains it is shown. */
  readonly event: number | undefined
}

const ID = /^[1-9]\d{0,14}$/

export function parseState({ show, watch, team, on, event }: Readonly<Record<string, unknown>>): InboxState {
  return {
    show: show === 'unread' || show === 'muted' ? show : 'all',
    watch: typeof watch === 'string' && ID.test(watch) ? watch : undefined,
    team: typeof team === 'string' && team.trim() !== '' ? team : undefined,
    on: typeof on === 'string' ? sortKinds(on.split(',').filter(isKind)) : [],
    event: typeof event === 'string' && ID.test(event) ? Number(event) : undefined,
  }
}

export function toSearch({ show, watch, team, on, event }: InboxState): Readonly<Record<string, string>> {
  return {
    ...(show === 'all' ? {} : { show }),
    ...(watch === undefined ? {} : { watch }),
    ...(team === undefined ? {} : { team }),
    ...(on.length === 0 ? {} : { on: on.join(',') }),
    ...(event === undefined ? {} : { event: String(event) }),
  }
}
