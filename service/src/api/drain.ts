// Shuts the HTTP server down without failing a request. Node's own close() either waits for idle connections or closes
// connections that are in use.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const SWEEP_INTERVAL_MS = 100
const HARD_STOP_MS = 25_000

/**
 * Call `drain` after the readiness check has started to fail. It waits `delayMs` so that load balancers notice, then
 * stops accepting connections, closes connections as they become idle, and closes all remaining connections after
 * `hardStopMs`. Responses sent while the server drains have the header `Connection: close`.
 */
export async function drain(server: Server, delayMs: number, hardStopMs = HARD_STOP_MS): Promise<{ wasCut: boolean }> {
  await sleep(delayMs)
  const closed = new Promise<void>((resolve) => {
    // The HTTP server's own close() would also stop the timeout check for slow clients. One silent socket could then
    // delay the shutdown until the hard stop.
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
  // Stops the server's timeout check for slow clients, which would keep the process alive.
  server.close()
  return { wasCut }
}
