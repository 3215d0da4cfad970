// Shuts the HTTP server down without failing any request. Node's close() may wait for idle connections, and
// closeAllConnections() closes connections that are in use.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const SWEEP_INTERVAL_MS = 100
const HARD_STOP_MS = 25_000

/**
 * Call this after the readiness check has started to fail. It waits `delayMs` for load balancers to notice, then stops
 * accepting connections and closes existing ones as they become idle. After `hardStopMs` it closes all remaining ones.
 * Until then, responses have the header `Connection: close`.
 */
export async function drain(server: Server, delayMs: number, hardStopMs = HARD_STOP_MS): Promise<{ wasCut: boolean }> {
  await sleep(delayMs)
  const closed = new Promise<void>((resolve) => {
    // Uses close() of the TCP server: that of the HTTP server would also stop the timeout check for slow clients, and
    // one silent connection could delay the shutdown until the hard stop.
    NetServer.prototype.close.call(server, () => resolve())
  })
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS)
  const hardStop = new AbortController()
  const wasCut = await Promise.race([
    closed.then(() => false),
    sleep(hardStopMs, true, { signal: hardStop.signal }).catch(() => false),
  ])
  clearInterval(sweep)
  hardStop.abort()
  if (wasCut) server.closeAllConnections()
  // Stops the timeout check, whose timer would keep the process alive.
  server.close()
  return { wasCut }
}
