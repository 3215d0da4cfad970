// The number of unread events, kept current while the person looks at the console. One call waits at the service at a time,
// in a visible tab only. Each call counts as a read of the account, so the pauses between them grow until the person opens
// another page.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client } from '../client.ts'
import { useSession } from '../use-session.ts'
import { unreadQuery } from './events.ts'

/** The first call waits until the page has read what it shows. */
const FIRST_PAUSE_MS = 4000
/** Pauses after each call that brought nothing. The last one stays. */
const PAUSES_MS = [1000, 30_000, 60_000, 120_000, 300_000] as const
/** Longest wait at the service. */
const WAIT_SECONDS = 25

export interface Unread {
  readonly count: number
  /** Whether there are more than the service counts. */
  readonly hasMore: boolean
  /** Number of the newest event of the account. */
  readonly newest: number
}

/** Undefined until it is known, and for a session that was opened with a key, which has no member. */
export function useUnread(): Unread | undefined {
  const isMember = Boolean(useSession()?.member)
  const { data } = useQuery({ ...unreadQuery, enabled: isMember })
  if (!data) return undefined
  return { count: data.unread, hasMore: data.has_more_unread, newest: data.newest_nr }
}

/** Keeps the number current. Only the frame around the pages uses it. `page` is the path of the page that is shown. */
export function useLiveUnread(page: string): void {
  const newest = useUnread()?.newest
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins with short pauses again.
  useEffect(() => {
    if (newest === undefined) return undefined
    const abort = new AbortController()
    const onNews = () => void queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey })
    void follow(newest, onNews, abort.signal)
    return () => abort.abort()
  }, [newest, page, queryClient])
}

/** Waits for an event after the given one. Ends with it, or after a failure: the next page tries again. */
async function follow(newest: number, onNews: () => void, signal: AbortSignal): Promise<void> {
  try {
    await pause(FIRST_PAUSE_MS, signal)
    for (let round = 0; !signal.aborted; round += 1) {
      await untilVisible(signal)
      const { newest_nr: found } = await client.events({ since: String(newest), wait: WAIT_SECONDS, limit: 1, signal })
      if (found !== newest) return onNews()
      await pause(PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)] ?? 0, signal)
    }
  } catch {
    // The number stays as it is. Nobody asked for this read, so nothing says that it failed.
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('The page was left', 'AbortError'))
    })
  })
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState === 'visible' || signal.aborted) {
        document.removeEventListener('visibilitychange', check)
        resolve()
      }
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', check)
  })
}
