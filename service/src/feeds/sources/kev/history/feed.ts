// Feed of earlier releases of the KEV catalog, from a file that the operator provides. CISA publishes only the newest
// release.
import { readReleaseCursor, toReleaseDelivery } from '../../../download/dated-release.ts'
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
import { createFeed, defineFeed } from '../../../feed-definition.ts'
import { type FoundFile, listFiles } from '../../../formats/directory.ts'
import { nameErrors } from '../../../formats/file-error.ts'
import { stagedStore } from '../../../stores/staged-store.ts'
import { KEV_COLUMNS } from '../feed.ts'
import { type KevRow, normaliseKev } from '../normalise.ts'
import { type Release, readReleases } from './releases.ts'
import { type PastEntry, replayReleases } from './replay.ts'

const FILE = 'kev-history.ndjson'
const NO_ADDRESS = `No address publishes this data. Import ${FILE} with vis-server sync kev-history --from DIR.`

export const kevHistoryDefinition = defineFeed({}, kevHistoryFeed)

export function kevHistoryFeed(): Feed<PastEntry, PastKevRow> {
  return createFeed('kev-history', {
    fetch: fetchHistory,
    collect: async (context) => {
      context.notice(NO_ADDRESS)
      return { index: null }
    },
    normalise: normalisePastEntry,
    store: kevHistoryStore,
  })
}

async function* fetchHistory(context: FetchContext): AsyncGenerator<Delivery<PastEntry>> {
  const { from, cursor, now } = context
  const previous = readReleaseCursor(cursor)
  if (from === undefined) {
    if (!previous) context.notice(NO_ADDRESS)
    return
  }
  const [file] = await listFiles(from, 'kev-history', /^kev-history\.ndjson(?:\.gz)?$/)
  if (!file) throw new NoFilesError(`${from} contains no ${FILE}.`)
  const { version, releasedAt: at } = await findLastRelease(file)
  yield {
    label: file.name,
    kind: 'snapshot',
    ...toReleaseDelivery({ ...file, validators: {} }, { version, at }, previous, now),
    records: (onBytes) => readEntries(file, onBytes),
  }
}

/** Reads the whole file, so that a truncated or wrong file is detected before any entry is stored. */
async function findLastRelease(file: FoundFile): Promise<Release> {
  let last: Release | undefined
  async function* remember() {
    for await (const release of readReleases(file.path)) {
      last = release
      yield release
    }
  }
  for await (const _ of nameErrors(file.name, replayReleases(remember())));
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
    ...KEV_COLUMNS,
    is_published: () => false,
  },
  removal: { rule: 'delete' },
})
