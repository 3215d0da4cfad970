import { type Machine, testMachine } from '../../feed-harness.ts'

let machine: Promise<Machine> | undefined

/** One for all tests of a file, emptied: they are many, and to drop a database for each takes longer than the test. */
export async function emptyMachine(): Promise<Machine> {
  machine ??= testMachine()
  const emptied = await machine
  await emptied.look(`
    truncate source.acsc_notice, source.acsc_notice_cve, source.publication_queue, source.feed_rejection,
             source.feed_run, source.feed
    restart identity;
    update catalog.dataset set table_count = 0, last_success_at = null`)
  return emptied
}
