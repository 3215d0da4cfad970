import { createFeedHarness, type FeedHarness } from '../../feed-harness.ts'

let harness: Promise<FeedHarness> | undefined

/** Returns one harness per test file with emptied tables: a new database per test would take longer than the test. */
export async function resetHarness(): Promise<FeedHarness> {
  harness ??= createFeedHarness()
  const shared = await harness
  await shared.selectRows(`
    truncate source.acsc_notice, source.acsc_notice_cve, source.publication_queue, source.feed_rejection,
             source.feed_run, source.feed
    restart identity;
    update catalog.dataset set table_count = 0, last_success_at = null`)
  return shared
}
