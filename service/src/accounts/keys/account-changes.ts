// Listens for PostgreSQL notifications about changed accounts. Notifications only speed up cache eviction: if a
// notification is missed, the cached account expires by itself a few seconds later.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const CHANNEL = 'vis_account_changed'
const RECONNECT_DELAY_MS = 500
/** Without this check, a dead connection is noticed only after the TCP keep-alive time, two hours by default. */
const CHECK_INTERVAL_MS = 2000
const QUERY_TIMEOUT_MS = 2000

export interface AccountChangeEvents {
  onChange(accountId: string): void
  /** Called after every connect, because notifications may have been missed before it. */
  onGap(): void
  onError(error: unknown): void
}

export interface AccountChangeListener {
  close(): Promise<void>
}

/**
 * Uses a connection of its own, because LISTEN applies only to the connection that sent it. Reconnects until closed.
 */
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
    const timeouts = { connectionTimeoutMillis: 2000, query_timeout: QUERY_TIMEOUT_MS }
    const client = new Client({ connectionString: url, application_name: 'vis-changes', ...timeouts })
    await listen(client, events, signal).catch((error: unknown) => signal.aborted || events.onError(error))
    // The client is closed only after its connection attempt has finished, because `end` never resolves for a client
    // that is still connecting.
    await client.end().catch(() => {})
    await sleep(RECONNECT_DELAY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Resolves when the signal is aborted. Throws when the connection ends or the database does not answer. */
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
  await Promise.race([ended, checkRepeatedly(client, signal)])
}

async function checkRepeatedly(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await client.query('select 1')
  }
}
