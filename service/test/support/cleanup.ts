// Clean-up after the last test of a file. vitest accepts hooks only while it loads a file, but tests also create
// servers and databases while they run.

const cleanUps: (() => unknown)[] = []
const drops: (() => Promise<unknown>)[] = []
const CONCURRENT_DROPS = 4

/** Runs the registered clean-up of a test file; setup.ts calls it after the last test of each file. */
export async function cleanUp(): Promise<void> {
  // Clean-up runs in reverse order: a server's proxy is stopped before the server itself.
  for (const each of cleanUps.splice(0).toReversed()) await each()
  while (drops.length > 0) await Promise.all(drops.splice(0, CONCURRENT_DROPS).map((drop) => drop()))
}

export function cleanUpAfterTests(each: () => unknown): void {
  cleanUps.push(each)
}

/**
 * Registers the removal of a database, after all other clean-up. Several databases are dropped at the same time: DROP
 * DATABASE waits for a checkpoint, and statements that wait together share one.
 */
export function dropAfterTests(drop: () => Promise<unknown>): void {
  drops.push(drop)
}
