// Hears from the database which accounts have changed. Only a hint: whoever misses it is late, not wrong.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const CHANNEL = 'vis_account_changed'
const RECONNECT_MS = 500

export interface ChangeListener {
  onChange(accountId: string): void
  /** The ear was deaf for a while: anything may have changed. */
  onGap(): void
  onError(error: unknown): void
}

export interface Listening {
  close(): Promise<void>
}

/** A connection of its own, since a pool would hand it to others. Goes on trying until it is closed. */
export function listenForChanges(url: string, listener: ChangeListener): Listening {
  const closing = new AbortController()
  const done = keepHearing(url, listener, closing.signal)
  return {
    close: async () => {
      closing.abort()
      await done
    },
  }
}

async function keepHearing(url: string, listener: ChangeListener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const options = { application_name: 'vis-changes', keepAlive: true, connectionTimeoutMillis: 2000 }
    const client = new Client({ connectionString: url, ...options })
    await hear(client, listener, signal).catch((error: unknown) => signal.aborted || listener.onError(error))
    // Only here, where connecting is over: a client that is told to end before that never does.
    await client.end().catch(() => {})
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
  }
}

/** Until the connection ends, which throws, or until the signal. */
async function hear(client: Client, listener: ChangeListener, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection that listens for changes ended')))
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  ended.catch(() => {})
  await client.connect()
  if (signal.aborted) return
  client.on('notification', ({ payload }) => listener.onChange(payload ?? ''))
  await client.query(`listen ${CHANNEL}`)
  listener.onGap()
  await ended
}
