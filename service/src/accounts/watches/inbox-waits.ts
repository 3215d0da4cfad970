// Calls that wait for events. One statement at a time asks for all of them, so a waiting call uses no connection.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Credential } from '../keys/credential.ts'
import type { EventFilter } from './own-events.ts'

export interface AwaitedEvents {
  readonly credential: Credential
  readonly filter: EventFilter
  /** Waits for an event with a higher number. */
  readonly after: number
}

interface FoundEvents {
  /** Position of the wait in the list. */
  readonly place: number
  readonly isFound: boolean
  /** The newest number of the account, up to which no event was found. */
  readonly newest: number
}

export interface InboxWaits {
  /**
   * Resolves when there is such an event, the time is up, the signal aborts, the credential is no longer valid, or the node
   * stops. Returns undefined if the call does not wait.
   */
  wait(
    awaited: AwaitedEvents,
    options: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<void> | undefined
  /** Ends all current and future waits immediately. */
  endWaits(): void
}

export async function findAwaitedEvents(
  accounts: Database,
  waits: readonly AwaitedEvents[],
): Promise<readonly FoundEvents[]> {
  const asked = waits.map(({ credential, filter: { watchId, team, kinds, isMuted }, after }) => ({
    credential: credential.kind,
    digest: credential.digest,
    watch: watchId ?? null,
    team: team ?? null,
    kinds: kinds ?? null,
    muted: isMuted ?? null,
    after,
  }))
  const { rows } = await sql<FoundEvents>`
    select wait_position as place, is_found as "isFound", newest_nr::float8 as newest
      from notify.find_awaited(${JSON.stringify(asked)}::jsonb)
  `.execute(accounts)
  return rows
}

const POLL_INTERVAL_MS = 500
/** The first poll of a new wait: calls that arrive together are asked for together. */
const FIRST_POLL_MS = 50

interface Waiting {
  awaited: AwaitedEvents
  readonly end: () => void
}

type Find = (waits: readonly AwaitedEvents[]) => Promise<readonly FoundEvents[]>

/** `onError` is called when polling begins to fail; the calls then wait until their time is up. */
export function createInboxWaits(find: Find, onError: (error: unknown) => void): InboxWaits {
  const waiting = new Set<Waiting>()
  let [timer, isPolling, isFailing, hasEnded]: [NodeJS.Timeout | undefined, boolean, boolean, boolean] = [
    undefined,
    false,
    false,
    false,
  ]
  const schedule = (ms: number) => {
    if (isPolling || timer !== undefined || waiting.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      void poll()
    }, ms)
    timer.unref()
  }
  const poll = async () => {
    isPolling = true
    const asked = [...waiting]
    try {
      const found = new Map((await find(asked.map(({ awaited }) => awaited))).map((each) => [each.place, each]))
      for (const [place, wait] of asked.entries()) settle(wait, found.get(place))
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    } finally {
      isPolling = false
      schedule(POLL_INTERVAL_MS)
    }
  }
  return {
    wait: (awaited, { ms, signal }) => {
      if (hasEnded || ms === 0) return undefined
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timeout)
          waiting.delete(wait)
          resolve()
        }
        const wait: Waiting = { awaited, end }
        const timeout = setTimeout(end, ms)
        waiting.add(wait)
        signal.addEventListener('abort', end, { once: true })
        schedule(FIRST_POLL_MS)
      })
    },
    endWaits: () => {
      hasEnded = true
      for (const { end } of waiting) end()
    },
  }
}

/** A credential that is no longer valid has no row: the call then says so. */
function settle(wait: Waiting, found: FoundEvents | undefined): void {
  if (found === undefined || found.isFound) wait.end()
  // What was looked through need not be looked through again.
  else wait.awaited = { ...wait.awaited, after: Math.max(wait.awaited.after, found.newest) }
}
