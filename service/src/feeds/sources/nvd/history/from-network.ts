// One network run of the feed nvd-history: new changes, then a part of the earlier ones. A run that dies continues after
// the last stored window.
import { type Delivery, FeedError, type FetchContext } from '../../../feed.ts'
import { type ApiSettings, deletePages, openPages, type Page, type PageKind, readPages } from '../api-pages.ts'
import { describeWindow, fetchWindow, splitWindow, type Window, type WindowKind } from '../api-window.ts'
import { extendPeriod, type Period, planWindows, readPeriod, toCursor } from './cursor.ts'
import { readChangeId } from './normalise.ts'

export interface HistorySettings extends ApiSettings {
  /** Limits the time of a run and the requests to NVD. */
  readonly pagesPerRun: number
}

export const CHANGE_PAGES: PageKind = {
  container: { format: 'NVD_CVEHistory', member: 'cveChanges' },
  maxSize: 5000,
  readId: readChangeId,
}

export const CHANGE_WINDOWS: WindowKind = {
  query: (from, until) => ({ changeStartDate: from, changeEndDate: until }),
  describe: (from, until) => `changes from ${from} to ${until}`,
}

export async function* fetchFromNetwork(
  settings: HistorySettings,
  context: FetchContext,
): AsyncGenerator<Delivery<unknown>> {
  const pages = openPages(settings, context, CHANGE_PAGES)
  let period = readPeriod(context.cursor)
  // The first run stores a single window, so that it does not delay the first load of the catalog.
  const isFirstRun = period === undefined
  const windows = planWindows(period, context.now)
  let [pending, used, found]: [Window[], number, number] = [[], 0, 0]
  let hasSplit = false
  while (used < settings.pagesPerRun) {
    if (pending.length === 0 && hasSplit) [found, hasSplit] = [Number.POSITIVE_INFINITY, false]
    const window = pending.shift() ?? windows.next(found).value
    if (!window) return
    const fetched = await fetchWindow(pages, window, CHANGE_WINDOWS)
    if (!fetched) {
      used += 1
      hasSplit = true
      pending = [...orderHalves(splitWindow(window), period), ...pending]
      continue
    }
    used += fetched.length
    found = fetched[0]?.total ?? 0
    assertPlausible(window, fetched)
    period = extendPeriod(period, window)
    yield buildDelivery(fetched, period, window)
    await deletePages(fetched)
    if (isFirstRun) return
  }
}

/** Each window must touch the period that is stored: earlier windows go back in time, later ones forward. */
function orderHalves([first, second]: readonly [Window, Window], period: Period | undefined): Window[] {
  const goesForward = period !== undefined && second.until > period.newest
  return goesForward ? [first, second] : [second, first]
}

const MAX_EMPTY_WINDOW_MS = 7 * 86_400_000

/** NVD records thousands of changes a week. An empty answer would otherwise count as a week without changes. */
function assertPlausible(window: Window, [first]: readonly Page[]): void {
  const { from, until } = window
  if (first?.total !== 0 || until.getTime() - from.getTime() < MAX_EMPTY_WINDOW_MS) return
  throw new FeedError(`NVD's API lists no ${describeWindow(window, CHANGE_WINDOWS)}, which is implausible.`)
}

export function buildDelivery(pages: readonly Page[], period: Period, window: Window): Delivery<unknown> {
  const bytes = pages.reduce((sum, page) => sum + page.bytes, 0)
  return {
    label: describeWindow(window, CHANGE_WINDOWS),
    kind: 'delta',
    upstreamAt: undefined,
    cursor: toCursor(period),
    bytes: { before: 0, own: bytes, total: bytes },
    records: (onBytes) => readPages(pages, onBytes),
  }
}
