// Clean-up after the last test of a file. vitest accepts hooks only while it loads a file, but tests also create
// servers and databases while they run.
import { afterAll } from 'vitest'

const cleanUps: (() => unknown)[] = []
const drops: (() => Promise<unknown>)[] = []
const CONCURRENT_DROPS = 4

afterAll(async () => {
  // The clean-up runs in reverse order: a proxy of a server is stopped before the server.
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  while (drops.length > 0) await Promise.all(drops.splice(0, CONCURRENT_DROPS).map((drop) => drop()))
})

export function cleanUpAfterTests(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp)
}

/**
 * Registers the removal of a database, after all other clean-up. Several databases are dropped at the same time: DROP
 * DATABASE waits for a checkpoint, and statements that wait together share one.
 */
export function dropAfterTests(drop: () => Promise<unknown>): void {
  drops.push(drop)
}
