// Builds files with earlier releases of the KEV catalog, for the feed kev-history.
import { kevHistoryFeed } from '../../../../src/feeds/sources/kev/history/feed.ts'
import type { FeedHarness } from '../../feed-harness.ts'
import { writeTemporaryDirectory } from '../../temporary-files.ts'

type Line = Readonly<Record<string, unknown>>

/** A line with all entries of the release of a day. */
export const fullLine = (day: string, vulnerabilities: readonly Line[]): Line => ({
  catalogVersion: day.replaceAll('-', '.'),
  dateReleased: `${day}T15:00:00.1234Z`,
  count: vulnerabilities.length,
  vulnerabilities,
})

/** A line with the differences from the previous release. */
export const deltaLine = (day: string, count: number, differences: Line): Line => ({
  catalogVersion: day.replaceAll('-', '.'),
  dateReleased: `${day}T15:00:00.1234Z`,
  count,
  ...differences,
})

/** Runs the feed kev-history on a directory that contains only a file with the given lines. */
export async function importHistory({ run }: Pick<FeedHarness, 'run'>, lines: readonly Line[]) {
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return run(kevHistoryFeed(), { from: await writeTemporaryDirectory({ 'kev-history.ndjson.gz': content }) })
}
