// Real workers, an upstream that they ask, and what they wrote down.
import { testDatabase } from '../../support/database.ts'
import { startUpstream, type Upstream } from '../../support/network/upstream.ts'
import { type Inspector, openInspector } from './content.ts'
import { type FeedsProcess, startFeeds } from './process.ts'
import { FEEDS } from './setup.ts'
import { type EditionNumber, editionAt, makeEdition, type Slice, serveEdition, settingsFor } from './slice.ts'

export interface Workshop {
  readonly slice: Slice
  readonly upstream: Upstream
  readonly inspector: Inspector
  readonly environment: Readonly<Record<string, string>>
  serve(edition: EditionNumber): void
  startWorker(...feeds: readonly string[]): FeedsProcess
  /** All of them, oldest first. */
  runs(): Promise<readonly Run[]>
}

interface Run {
  readonly feed: string
  readonly outcome: string
  readonly epoch: number
  readonly fault: string | null
}

/** NVD's first file. */
const FIRST_YEAR = 2002

/** Workers have no clock but the real one, so their upstream speaks of today. */
export async function workshop(recordsPerYear: number): Promise<Workshop> {
  const now = new Date()
  const years = Array.from({ length: now.getUTCFullYear() - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index)
  const slice = { now, years, recordsPerYear }
  const [{ url }, upstream] = [await testDatabase(), await startUpstream()]
  const inspector = await openInspector(url, slice)
  const environment = { DATABASE_URL: url, FEEDS_CONCURRENT_RUNS: String(FEEDS.length), ...settingsFor(upstream) }
  return {
    slice,
    upstream,
    inspector,
    environment,
    serve: (edition) => serveEdition(upstream, makeEdition(slice, edition), editionAt(slice, edition)),
    startWorker: (...feeds) => startFeeds(['worker', ...feeds], environment),
    runs: () =>
      inspector.look('select feed, outcome, lease_epoch::integer as epoch, fault from source.feed_run order by id'),
  }
}
