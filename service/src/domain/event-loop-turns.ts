// Runs the steps of large responses (encoding, hashing, writing) one per event loop iteration. Otherwise the steps of
// several responses could share an iteration, and every other request would wait for all of them.
import { setImmediate as waitForEventLoop } from 'node:timers/promises'

let latestTurn = Promise.resolve()

/** Lets one caller continue per iteration, in the order of the calls. */
export function waitForEventLoopTurn(): Promise<void> {
  latestTurn = latestTurn.then(() => waitForEventLoop())
  return latestTurn
}
