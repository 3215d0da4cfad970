// Files of NVD's change history: the API's pages of each calendar month, as NVD serves them. They take the history to a
// service without a network.
import { formatInstant, UNDATED } from '../../../../domain/instant.ts'
import type { CollectContext, Collection } from '../../../collect.ts'
import { type Delivery, FeedError, type FetchContext, NoFilesError } from '../../../feed.ts'
import { listFiles } from '../../../formats/directory.ts'
import { inspectPage, openPages, type Page } from '../api-pages.ts'
import { fetchWindow, splitWindow, type Window } from '../api-window.ts'
import { CLOCK_MARGIN_MS, extendPeriod, FIRST_DAY, readDirectoryPosition, readPeriod, toCursor } from './cursor.ts'
import { buildDelivery, CHANGE_PAGES, CHANGE_WINDOWS, type HistorySettings } from './from-network.ts'

/** The start and end of the window, and the position of the first change on the page. */
const FILE_NAME = /^nvdcvehistory-2\.0-(\d{8}T\d{6}Z)-(\d{8}T\d{6}Z)-(\d{1,7})\.json(?:\.gz)?$/
const FILES = 'nvdcvehistory-2.0-FROM-UNTIL-N.json'

interface FoundWindow {
  readonly window: Window
  readonly files: readonly { readonly path: string; readonly name: string }[]
}

/** Newest window first. If a run dies, the next one continues where it ended. */
export async function* fetchFromDirectory(directory: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const found = await findWindows(directory)
  if (found.length === 0) throw new NoFilesError(`${directory} contains no ${FILES}.`)
  const position = readDirectoryPosition(context.cursor)
  const unread = found.filter(({ window }) => position === undefined || window.from < position)
  // If all windows are after the stored position, the position belongs to another directory.
  const remaining = unread.length === 0 ? found : unread
  let period = readPeriod(context.cursor)
  for (const [index, each] of remaining.entries()) {
    const pages = await openFiles(each)
    period = extendPeriod(period, each.window)
    const delivery = buildDelivery(pages, period, each.window)
    const isLast = index === remaining.length - 1
    const fromDirectory = formatInstant(each.window.from)
    yield isLast ? delivery : { ...delivery, cursor: { ...toCursor(period), fromDirectory } }
  }
  const last = remaining.at(-1)
  if (last && period && last.window.from < period.oldest)
    context.notice(
      `The files leave a gap: NVD's history is complete only from ${toCursor(period).oldest} to ${toCursor(period).newest}.`,
    )
}

/** Newest window first, like downloads. */
async function findWindows(directory: string): Promise<readonly FoundWindow[]> {
  return groupByWindow(await listFiles(directory, 'nvd-history', FILE_NAME))
    .map(({ window, files }) => ({ window, files: files.toSorted((a, b) => readIndex(a) - readIndex(b)) }))
    .toSorted((a, b) => b.window.from.getTime() - a.window.from.getTime())
}

const readIndex = ({ name }: { readonly name: string }) => Number(FILE_NAME.exec(name)?.[3])

function groupByWindow<File extends { readonly name: string }>(files: readonly File[]) {
  const groups = Map.groupBy(files, ({ name }) => FILE_NAME.exec(name)?.slice(1, 3).join('-') ?? '')
  return [...groups].map(([times, group]) => {
    const [from = UNDATED, until = UNDATED] = times.split('-').map(parseTime)
    return { window: { from, until }, files: group }
  })
}

function parseTime(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** Throws unless the pages are all pages of the window. */
async function openFiles({ files }: FoundWindow): Promise<readonly Page[]> {
  const pages: Page[] = []
  let next = 0
  for (const file of files) {
    const page = await inspectPage(file, CHANGE_PAGES)
    if (page.startIndex !== next || page.total !== (pages[0] ?? page).total)
      throw new FeedError(`${file.name} does not continue the page before it.`)
    next += page.count
    pages.push(page)
  }
  const total = pages[0]?.total
  if (next === total) return pages
  throw new FeedError(`The pages of ${files[0]?.name} have ${next} of ${total} changes.`)
}

const DAY_MS = 86_400_000
const WINDOW_MS = 10 * DAY_MS
/** Late changes are still added to a window for that long. */
const SETTLED_AFTER_MS = 7 * DAY_MS

/** Windows that were collected after they had settled are kept; the others are fetched, newest first. */
export async function collectPages(settings: HistorySettings, context: CollectContext): Promise<Collection> {
  const pages = openPages(settings, context, CHANGE_PAGES)
  const pending = listWindows(context.now)
  let [used, postponed] = [0, 0]
  for (let window = pending.shift(); window; window = pending.shift()) {
    if (await keepWindow(window, context)) continue
    if (used >= settings.pagesPerRun) {
      postponed += 1
      continue
    }
    const fetched = await fetchWindow(pages, window, CHANGE_WINDOWS)
    used += fetched?.length ?? 1
    if (fetched) await addPages(fetched, window, { settings, context })
    else pending.unshift(...splitWindow(window).toReversed())
  }
  if (postponed > 0)
    context.notice(`${postponed} earlier periods are left for the next downloads (FEED_NVD_HISTORY_PAGES_PER_RUN).`)
  return { index: null }
}

/** The windows begin at fixed times, so that each collection has the same ones. The last one is shorter. */
function listWindows(now: Date): Window[] {
  const end = Math.floor((now.getTime() - CLOCK_MARGIN_MS) / 1000) * 1000
  const windows: Window[] = []
  for (let from = FIRST_DAY.getTime(); from < end; from += WINDOW_MS)
    windows.unshift({ from: new Date(from), until: new Date(Math.min(from + WINDOW_MS, end)) })
  return windows
}

const describeVersion = (pages: number) => `${pages} pages, settled`

async function addPages(
  fetched: readonly Page[],
  window: Window,
  { settings, context }: { readonly settings: HistorySettings; readonly context: CollectContext },
): Promise<void> {
  const isSettled = context.now.getTime() - window.until.getTime() >= SETTLED_AFTER_MS
  const version = isSettled ? describeVersion(fetched.length) : formatInstant(context.now)
  for (const { file, startIndex } of fetched)
    await context.add({ name: toFileName(window, startIndex), url: settings.apiUrl, version, path: file.path })
}

function toFileName({ from, until }: Window, startIndex: number): string {
  const [start, end] = [from, until].map((time) => formatInstant(time).replaceAll(/[-:]/g, ''))
  return `nvdcvehistory-2.0-${start}-${end}-${startIndex}.json`
}

/** A window with very many changes was collected in parts. */
async function keepWindow({ from, until }: Window, context: CollectContext): Promise<boolean> {
  const earlier = groupByWindow(context.earlier.filter((name) => FILE_NAME.test(name)).map((name) => ({ name })))
  const parts = earlier
    .filter(({ window }) => window.from >= from && window.until <= until)
    .toSorted((a, b) => a.window.from.getTime() - b.window.from.getTime())
  let reached = from.getTime()
  for (const { window } of parts) {
    if (window.from.getTime() !== reached) return false
    reached = window.until.getTime()
  }
  if (reached !== until.getTime()) return false
  for (const { files } of parts)
    for (const { name } of files) if (!(await context.keep(name, describeVersion(files.length)))) return false
  return true
}
