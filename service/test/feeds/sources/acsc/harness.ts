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
  await shared.selectRows(`
    truncate source.acsc_notice, source.acsc_notice_cve, source.publication_queue, source.feed_rejection,
             source.feed_run, source.feed
    restart identity;
    update catalog.dataset set table_count = 0, last_success_at = null`)
  return shared
}

function createSharedHarness(): Promise<FeedHarness> {
  cleanUpAfterTests(() => {
    harness = undefined
  })
  return createFeedHarness()
}
