// Shuts the HTTP server down without failing a request. Node's own methods do not suffice: close() may wait for idle
// connections, and closeAllConnections() closes connections that are in use.
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const SWEEP_INTERVAL_MS = 100
const HARD_STOP_MS = 25_000

/**
 * Shuts the server down. Call it after the readiness check has started to fail. It waits `delayMs` so that load
 * balancers notice the failing check, then stops accepting connections, closes connections as they become idle, and
 * closes all remaining connections after `hardStopMs`. Responses sent during the shutdown have the header `Connection:
 * close`.
 */
export async function drain(server: Server, delayMs: number, hardStopMs = HARD_STOP_MS): Promise<{ wasCut: boolean }> {
  await sleep(delayMs)
  const closed = new Promise<void>((resolve) => {
    // Calls close() of the TCP server, because close() of the HTTP server would also stop the timeout check for slow
    // clients. One silent connection could then delay the shutdown until the hard stop, which closes all connections.
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
  // All connections are closed now. This call stops the HTTP server's timeout check for slow clients, whose timer would
  // keep the process alive.
  server.close()
  return { wasCut }
}
