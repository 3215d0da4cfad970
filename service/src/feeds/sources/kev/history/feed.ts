// Feed of the earlier releases of the KEV catalog, from a file of the operator. CISA publishes only the newest release.
import { checkReleaseDate, type ReleaseCursor, readReleaseCursor } from '../../../download/dated-release.ts'
import {
  type Delivery,
  type Feed,
  FeedError,
  type FetchContext,
  isRejected,
  NoFilesError,
  type Reading,
  type Rejected,
} from '../../../feed.ts'
import { defineFeed, readSchedule } from '../../../feed-definition.ts'
import { type FoundFile, listFiles } from '../../../formats/directory.ts'
import { stagedStore } from '../../../stores/staged-store.ts'
import { type KevRow, normaliseKev } from '../normalise.ts'
import { type Release, readReleases } from './releases.ts'
import { type PastEntry, replayReleases } from './replay.ts'

const FILE = 'kev-history.ndjson'

export const kevHistoryDefinition = defineFeed({}, kevHistoryFeed)

export function kevHistoryFeed(): Feed<PastEntry, PastKevRow> {
  return {
    ...readSchedule('kev-history'),
    fetch: fetchHistory,
    normalise: normalisePastEntry,
    guards: [],
    store: kevHistoryStore,
  }
}

async function* fetchHistory(context: FetchContext): AsyncGenerator<Delivery<PastEntry>> {
  const { from, cursor, now } = context
  const previous = readReleaseCursor(cursor)
  if (from === undefined) {
    if (!previous)
      context.notice(`No address publishes this data. Import ${FILE} with vis-server sync kev-history --from DIR.`)
    return
  }
  const [file] = await listFiles(from, 'kev-history', /^kev-history\.ndjson(?:\.gz)?$/)
  if (!file) throw new NoFilesError(`${from} contains no ${FILE}.`)
  const { version, releasedAt } = await findLastRelease(file)
  const upstreamAt = checkReleaseDate(releasedAt, previous, now)
  const next: ReleaseCursor = { releasedAt: upstreamAt.toISOString(), version, validators: {} }
  yield {
    label: file.name,
    kind: 'snapshot',
    upstreamAt,
    cursor: next,
    bytes: { before: 0, own: file.bytes, total: file.bytes },
    records: (onBytes) => readEntries(file, onBytes),
  }
}

/** Reads the whole file, so that a truncated or wrong file is known before any entry is stored. */
async function findLastRelease(file: FoundFile): Promise<Release> {
  let last: Release | undefined
  async function* remember() {
    for await (const release of readReleases(file.path)) {
      last = release
      yield release
    }
  }
  try {
    for await (const _ of replayReleases(remember()));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    throw new FeedError(`${file.name} cannot be used: ${error.message}.`, { cause: error })
  }
  if (!last) throw new FeedError(`${file.name} has no releases.`)
  return last
}

async function* readEntries(file: FoundFile, onBytes: (count: number) => void): AsyncGenerator<Reading<PastEntry>> {
  for await (const raw of replayReleases(readReleases(file.path, onBytes))) yield { raw }
}

function normalisePastEntry({ entry, releasedAt, isRemoved }: PastEntry, now: Date): PastKevRow | Rejected {
  const row = normaliseKev({ entry, releasedAt }, now)
  return isRejected(row) ? row : { ...row, isRemoved }
}

interface PastKevRow extends KevRow {
  readonly isRemoved: boolean
}

/** The file has the whole history, so rows that it lacks are deleted. */
const kevHistoryStore = stagedStore<PastKevRow>({
  table: 'kev_past_entry',
  key: ['cve_id', 'released_at'],
  columns: {
    cve_id: (row) => row.cveId,
    released_at: (row) => row.releasedAt,
    is_removed: (row) => row.isRemoved,
    vendor_project: (row) => row.vendorProject,
    product: (row) => row.product,
    vulnerability_name: (row) => row.vulnerabilityName,
    date_added: (row) => row.dateAdded,
    short_description: (row) => row.shortDescription,
    required_action: (row) => row.requiredAction,
    due_date: (row) => row.dueDate,
    known_ransomware: (row) => row.isKnownRansomware,
    notes: (row) => row.notes,
    cwes: (row) => row.cwes,
    is_published: () => false,
  },
  removal: { rule: 'delete' },
})
