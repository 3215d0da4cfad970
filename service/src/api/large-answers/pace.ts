// Lets the large responses of a node work one after the other, each for a short time, so that the event loop serves all
// other requests in between. Without it, several large responses would work in the same turn of the event loop, and each
// step of every other request would wait for all of them.
//
// The state is in the memory of this process and only orders its own work.
import { setImmediate as waitForEventLoop } from 'node:timers/promises'

let latestSlot = Promise.resolve()

/** Waits until all large responses that asked earlier have worked, each in a turn of the event loop of its own. */
export function waitForSlot(): Promise<void> {
  latestSlot = latestSlot.then(() => waitForEventLoop())
  return latestSlot
}
