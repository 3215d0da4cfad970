import { cleanUpAfterTests } from '../../../support/cleanup.ts'
import { createFeedHarness, type FeedHarness } from '../../feed-harness.ts'

let harness: Promise<FeedHarness> | undefined

/**
 * Empties the tables of the test file's feed harness and returns the harness. Tests share one database, because creating
 * a database takes longer than a test.
 */
export async function resetHarness(): Promise<FeedHarness> {
  harness ??= createSharedHarness()
  const shared = await harness
  await shared.reset()
  return shared
}

function createSharedHarness(): Promise<FeedHarness> {
  cleanUpAfterTests(() => {
    harness = undefined
  })
  return createFeedHarness()
}
