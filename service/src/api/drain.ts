// Leaving without a failed request: Node's own close hangs on idle connections or cuts those in use.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const SWEEP_MS = 100
const HARD_STOP_MS = 25_000

/**
 * The caller has turned readiness off. Waits until balancers have noticed, then stops accepting, closes connections
 * as they fall idle, and cuts what is left at the hard stop. Every answer in the meantime says `Connection: close`.
 */
export async function drain(server: Server, delayMs: number, hardStopMs = HARD_STOP_MS): Promise<{ wasCut: boolean }> {
  await sleep(delayMs)
  const closed = new Promise<void>((resolve) => {
    // Not the HTTP server's own close: that stops the check for slow clients, and one silent socket would delay us.
    NetServer.prototype.close.call(server, () => resolve())
  })
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const hardStop = new AbortController()
  const wasCut = await Promise.race([
    closed.then(() => false),
    sleep(hardStopMs, true, { signal: hardStop.signal }).catch(() => false),
  ])
  clearInterval(sweep)
  hardStop.abort()
  if (wasCut) server.closeAllConnections()
  // Now for the check itself, which would keep the process alive.
  server.close()
  return { wasCut }
}
