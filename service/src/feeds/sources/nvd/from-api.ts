// NVD's API, the second route: once everything, page by page, and then what was modified since.
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { type ApiSettings, apiPages, discard, type Page, type Pages, recordsOfPages } from './api-pages.ts'
import { halves, inWords, readWindow, type Window, windowsSince } from './api-window.ts'
import { type NvdCursor, readCursor } from './cursor.ts'
import { loadChunks } from './first-load.ts'

/** NVD modifies hundreds of records a day. */
const MAX_SILENCE_MS = 7 * 24 * 3_600_000

export async function* fromApi(settings: ApiSettings, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const pages = apiPages(settings, context)
  const cursor = readCursor(context)
  const last = lastUntil(cursor)
  yield* last ? fromWindows(pages, { cursor, last }, context) : fromFirstLoad(pages, cursor, context)
}

/** Whoever has all the files needs no first load: `modified` ends where the windows begin. */
function lastUntil({ api, files, comparedAt }: NvdCursor): Date | undefined {
  const fromFiles = comparedAt === null ? undefined : files['modified']?.at
  return parseDateTime(api?.until ?? fromFiles ?? '')
}

/** What was modified meanwhile is left to the next run, whose window begins where this load began. */
async function* fromFirstLoad(pages: Pages, cursor: NvdCursor, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  for await (const { read, isLast } of loadChunks(pages)) {
    yield deliver(read, isLast ? { ...cursor, api: { until: formatInstant(context.now) } } : cursor)
    await discard(read)
  }
}

/** One delivery per window: it is complete, or it is not there. */
async function* fromWindows(
  pages: Pages,
  start: { readonly cursor: NvdCursor; readonly last: Date },
  context: FetchContext,
): AsyncGenerator<Delivery<unknown>> {
  const ahead = windowsSince(start.last, context.now)
  let [cursor, isGapless] = [start.cursor, true]
  for (let window = ahead.shift(); window; window = ahead.shift()) {
    const read = await readWindow(pages, window)
    if (!read) {
      ahead.unshift(...halves(window))
      continue
    }
    const isSilent = read[0]?.total === 0
    // Nor does any later window move it over the silence.
    isGapless &&= !isSilent
    if (isGapless) cursor = { ...cursor, api: { until: formatInstant(window.until) } }
    if (isSilent) doubtSilence(window, context)
    else yield { ...deliver(read, cursor), label: inWords(window) }
    await discard(read)
  }
}

/** An empty answer never moves the cursor: the same window is asked for again, as part of the next one. */
function doubtSilence(window: Window, context: FetchContext): void {
  const sentence = `NVD says that no record was ${inWords(window)}`
  if (window.until.getTime() - window.from.getTime() > MAX_SILENCE_MS)
    throw new FeedError(`${sentence}: that is not believable, it modifies hundreds a day.`)
  context.notice(`${sentence}. It will be asked again.`)
}

function deliver(read: readonly Page[], cursor: NvdCursor): Delivery<unknown> {
  const [first, last] = [read[0], read.at(-1)]
  if (!first || !last) throw new Error('a delivery has at least one page')
  const count = last.startIndex + last.count - first.startIndex
  const own = read.reduce((bytes, page) => bytes + page.bytes, 0)
  // Of pages that we have not seen we can only say that they will be like these.
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
    records: (onBytes) => recordsOfPages(read, onBytes),
  }
}
