// Feed of Debian's security tracker: the state of each CVE in each package and release.
import { sql } from 'kysely'
import { address } from '../../../domain/setting.ts'
import { collectUndatedFile, fetchUndatedFile, type UndatedFile } from '../../download/undated-file.ts'
import { type Delivery, type Feed, type FetchContext, NoFilesError } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import { listFiles } from '../../formats/directory.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { type DebianRow, normaliseDebian, type RawDebianStatus } from './normalise.ts'
import { MAX_BYTES, readRelease, readTracker } from './read-tracker.ts'

const FILE = 'debian-tracker.json'
const TRACKER_FILE = /^debian-tracker\.json(?:\.gz)?$/
/** Name of a file for one release, with one CVE per line. */
const RELEASE_FILE = /^debian-tracker-([a-z]+)\.ndjson(?:\.gz)?$/

export const debianDefinition = defineFeed(
  { url: address('FEED_DEBIAN_URL', 'https://security-tracker.debian.org/tracker/data/json') },
  debianFeed,
)

export function debianFeed(settings: { readonly url: string }): Feed<RawDebianStatus, DebianRow> {
  const tracker: UndatedFile<RawDebianStatus> = {
    feed: 'debian',
    name: FILE,
    url: settings.url,
    maxDownloadBytes: MAX_BYTES,
    inDirectory: TRACKER_FILE,
    read: readTracker,
  }
  return createFeed('debian', {
    fetch: (context) =>
      context.from === undefined ? fetchTracker(context, tracker) : fetchFromDirectory(context.from, context, tracker),
    collect: collectUndatedFile(tracker),
    normalise: normaliseDebian,
    store: debianStore,
  })
}

async function* fetchTracker(
  context: FetchContext,
  tracker: UndatedFile<RawDebianStatus>,
): AsyncGenerator<Delivery<RawDebianStatus>> {
  const isFirst = context.cursor === undefined || context.cursor === null
  for await (const delivery of fetchUndatedFile(context, tracker)) yield { ...delivery, isFirst }
}

/** Reads the whole tracker first, and then the files of single releases, which add rows or replace them. */
async function* fetchFromDirectory(
  directory: string,
  context: FetchContext,
  tracker: UndatedFile<RawDebianStatus>,
): AsyncGenerator<Delivery<RawDebianStatus>> {
  const whole = await listFiles(directory, 'debian', TRACKER_FILE)
  const releases = await listFiles(directory, 'debian', RELEASE_FILE)
  if (whole.length + releases.length === 0)
    throw new NoFilesError(`${directory} contains neither ${FILE} nor a file such as debian-tracker-bookworm.ndjson.`)
  if (whole.length > 0) yield* fetchUndatedFile(context, tracker)
  for (const { name, path, bytes, modifiedAt } of releases)
    yield {
      label: name,
      kind: 'delta',
      upstreamAt: undefined,
      deliveredAt: modifiedAt,
      cursor: context.cursor,
      bytes: { before: 0, own: bytes, total: bytes },
      records: (onBytes) => readRelease(path, RELEASE_FILE.exec(name)?.[1] ?? '', onBytes),
    }
}

const debianStore = stagedStore<DebianRow>({
  table: 'debian_status',
  key: ['package', 'cve_id', 'release'],
  columns: {
    package: (row) => row.package,
    cve_id: (row) => row.cveId,
    release: (row) => row.release,
    status: (row) => row.status,
    fixed_version: (row) => row.fixedVersion,
    urgency: (row) => row.urgency,
    known_version: (row) => row.knownVersion,
    decision: (row) => row.decision,
    is_described: (row) => row.isDescribed,
  },
  queueAs: 'debian',
  removal: {
    rule: 'delete',
    // A rejection names the package, the CVE and perhaps the release. The stored rows of all releases are then kept.
    rejected: {
      column: sql`held.package || ' ' || held.cve_id`,
      ids: (subjects) => subjects.map((each) => each.split(' ', 2).join(' ')),
    },
  },
})
