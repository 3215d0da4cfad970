// Listens for PostgreSQL notifications about changed accounts. They only speed up cache eviction: if one is missed, the
// cached data expires by itself a few seconds later.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const CHANNEL = 'vis_account_changed'
const RECONNECT_DELAY_MS = 500

export interface AccountChangeEvents {
  onChange(accountId: string): void
  /** Called after every connect: notifications may have been missed before it. */
  onGap(): void
  onError(error: unknown): void
}

export interface AccountChangeListener {
  close(): Promise<void>
}

/** Uses a connection of its own, because LISTEN belongs to a session. Reconnects until it is closed. */
export function listenForAccountChanges(url: string, events: AccountChangeEvents): AccountChangeListener {
  const closing = new AbortController()
  const done = listenWithReconnect(url, events, closing.signal)
  return {
    close: async () => {
      closing.abort()
      await done
    },
  }
}

async function listenWithReconnect(url: string, events: AccountChangeEvents, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const options = { application_name: 'vis-changes', keepAlive: true, connectionTimeoutMillis: 2000 }
    const client = new Client({ connectionString: url, ...options })
    await listen(client, events, signal).catch((error: unknown) => signal.aborted || events.onError(error))
    // Only after connecting has ended: `end` never resolves for a client that is still connecting.
    await client.end().catch(() => {})
    await sleep(RECONNECT_DELAY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Resolves when the signal is aborted. Throws when the connection ends. */
async function listen(client: Client, events: AccountChangeEvents, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection that listens for account changes ended')))
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  ended.catch(() => {})
  await client.connect()
  if (signal.aborted) return
  client.on('notification', ({ payload }) => events.onChange(payload ?? ''))
  await client.query(`listen ${CHANNEL}`)
  events.onGap()
  await ended
}
