// Clean-up after the last test of a file. vitest accepts hooks only while it loads a file, but tests also create
// servers and databases while they run.
import { afterAll } from 'vitest'

const cleanUps: (() => unknown)[] = []

afterAll(async () => {
  // The clean-up runs in reverse order: a server is stopped before its database is dropped.
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
})

export function cleanUpAfterTests(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp)
}
