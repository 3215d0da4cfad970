// Imports records from NVD's API, the alternative to NVD's files: all records in the first load, then the records
// modified since. The first load is stored in chunks but has to complete within one run: the next run cannot resume
// from a page number, because the pages may have shifted by then.
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { type ApiSettings, deletePages, openPages, type Page, type Pages, readPages } from './api-pages.ts'
import { describeWindow, fetchWindow, planWindows, splitWindow, type Window } from './api-window.ts'
import { type NvdCursor, readCursor } from './cursor.ts'

/** NVD modifies hundreds of records a day, so a longer window without changes is implausible. */
const MAX_EMPTY_WINDOW_MS = 7 * 24 * 3_600_000

export async function* fetchFromApi(settings: ApiSettings, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const pages = openPages(settings, context)
  const cursor = readCursor(context)
  const last = findLastUntil(cursor)
  yield* last ? fetchWindows(pages, { cursor, last }, context) : fetchFirstLoad(pages, cursor, context)
}

/** After an import of all files no first load is needed: windows start where the file `modified` ended. */
function findLastUntil({ api, files, comparedAt }: NvdCursor): Date | undefined {
  const fromFiles = comparedAt === null ? undefined : files['modified']?.at
  return parseDateTime(api?.until ?? fromFiles ?? '')
}

/** Records modified meanwhile are left to the next run, whose window starts where the first load started. */
async function* fetchFirstLoad(
  pages: Pages,
  cursor: NvdCursor,
  context: FetchContext,
): AsyncGenerator<Delivery<unknown>> {
  for await (const { pages: chunk, isLast } of fetchChunks(pages)) {
    const total = chunk.at(-1)?.total
    yield isLast && total !== undefined
      ? { ...buildDelivery(chunk, { ...cursor, api: { until: formatInstant(context.now) } }), indexCount: total }
      : buildDelivery(chunk, cursor)
    await deletePages(chunk)
  }
}

async function* fetchWindows(
  pages: Pages,
  start: { readonly cursor: NvdCursor; readonly last: Date },
  context: FetchContext,
): AsyncGenerator<Delivery<unknown>> {
  const windows = planWindows(start.last, context.now)
  let [cursor, isGapless] = [start.cursor, true]
  for (let window = windows.shift(); window; window = windows.shift()) {
    const fetched = await fetchWindow(pages, window)
    if (!fetched) {
      windows.unshift(...splitWindow(window))
      continue
    }
    const isEmpty = fetched[0]?.total === 0
    // If a time window has no records, the cursor stays before that window, even if a later window has records.
    isGapless &&= !isEmpty
    if (isGapless) cursor = { ...cursor, api: { until: formatInstant(window.until) } }
    if (isEmpty) reportEmptyWindow(window, context)
    else yield { ...buildDelivery(fetched, cursor), label: describeWindow(window) }
    await deletePages(fetched)
  }
}

function reportEmptyWindow(window: Window, context: FetchContext): void {
  const sentence = `NVD's API lists no record ${describeWindow(window)}`
  if (window.until.getTime() - window.from.getTime() > MAX_EMPTY_WINDOW_MS)
    throw new FeedError(`${sentence}, which is implausible: NVD modifies hundreds of records a day.`)
  context.notice(`${sentence}. The next run queries this time window again.`)
}

function buildDelivery(pages: readonly Page[], cursor: NvdCursor): Delivery<unknown> {
  const [first, last] = [pages[0], pages.at(-1)]
  if (!first || !last) throw new Error('a delivery has at least one page')
  const count = last.startIndex + last.count - first.startIndex
  const own = pages.reduce((bytes, page) => bytes + page.bytes, 0)
  // The size of the remaining pages is estimated from the fetched ones.
  const bytesPerRecord = own / count
  return {
    label: `records ${first.startIndex + 1} to ${first.startIndex + count} of ${last.total}`,
    kind: 'delta',
    upstreamAt: last.at,
    cursor,
    bytes: {
      before: Math.round(first.startIndex * bytesPerRecord),
      own,
      total: Math.round(last.total * bytesPerRecord),
    },
    records: (onBytes) => readPages(pages, onBytes),
  }
}

interface Chunk {
  readonly pages: readonly Page[]
  readonly isLast: boolean
}

interface Progress {
  readonly next: number
  readonly total: number
  readonly ids: Set<string>
}

/** Ten pages hold 20,000 records, the most new records that a delivery may have. */
const PAGES_PER_CHUNK = 10
const ALL_RECORDS = {}

/** NVD lists new records last, so they are fetched too. Comparing the counts at the end detects other moves. */
async function* fetchChunks(pages: Pages): AsyncGenerator<Chunk> {
  let progress: Progress = { next: 0, total: 0, ids: new Set() }
  let isLast = false
  while (!isLast) {
    const fetched: Page[] = []
    do {
      const page = await pages.fetch(progress.next, ALL_RECORDS)
      progress = advance(progress, page)
      fetched.push(page)
      isLast = progress.next === progress.total
    } while (!isLast && fetched.length < PAGES_PER_CHUNK)
    if (isLast) assertNoRepetitions(progress)
    yield { pages: fetched, isLast }
  }
}

function advance({ next, total, ids }: Progress, page: Page): Progress {
  if (page.total === 0) throw new FeedError('NVD reports a total of 0 records; the API seems to be broken.')
  if (page.total < total)
    throw new FeedError(
      `NVD's total fell from ${total} to ${page.total} records during the download, so a record may be missing. The next run starts again.`,
    )
  if (page.startIndex !== next)
    throw new FeedError(`NVD returned records from index ${page.startIndex} instead of ${next}.`)
  if (page.count === 0 || next + page.count > page.total)
    throw new FeedError(`NVD reports ${page.total} records but returned ${page.count} from index ${next}.`)
  for (const id of page.ids) ids.add(id)
  return { next: next + page.count, total: page.total, ids }
}

/** The total is right, so for each duplicate another record is missing. */
function assertNoRepetitions({ total, ids }: Progress): void {
  if (ids.size === total) return
  throw new FeedError(
    `NVD returned ${total - ids.size} of its ${total} records twice, so as many may be missing. The next run starts again.`,
  )
}
