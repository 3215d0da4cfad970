// Databases whose advisories about packages are stored in one table, each under the name of its feed.
import { OSV_SOURCES } from './osv-sources.ts'
import { REPOSITORY_SOURCES } from './repository-sources.ts'
import { isSecdbSource } from './secdb-sources.ts'
import { isSourceId, SOURCE_IDS, type SourceId } from './sources.ts'

/** Feeds that report malicious packages. */
export const MALICIOUS_FEEDS: readonly string[] = Object.entries(REPOSITORY_SOURCES).flatMap(([id, { reports }]) =>
  reports === 'malicious' ? [id] : [],
)

/** Feeds whose advisories are published even if no published CVE is named in them. */
export const ADVISORY_FEEDS: readonly SourceId[] = SOURCE_IDS.filter(
  (id) => id === 'ghsa' || isOfOsv(id) || isSecdbSource(id) || Object.hasOwn(REPOSITORY_SOURCES, id),
)

/**
 * Returns the provider of an advisory's statements. `name` is that of the feed (`osv-go`, `rubysec`) or of the database
 * in its records (`go`, `rubysec`).
 */
export function toAdvisoryProvider(name: string): string {
  const feed = isOfOsv(name) ? name : `osv-${name}`
  return isOfOsv(feed) || !isSourceId(name) ? feed.replace('osv-', 'osv:') : name
}

function isOfOsv(name: string): boolean {
  return Object.hasOwn(OSV_SOURCES, name)
}
