// All of NVD through its API. What was read is stored chunk by chunk, but only a load that was completed in one run
// counts as one: where we were is only a number of a page, and pages may have shifted by the next run.
import { FeedError } from '../../feed.ts'
import type { Page, Pages } from './api-pages.ts'

export interface Chunk {
  readonly read: readonly Page[]
  /** The load is complete with this one. */
  readonly isLast: boolean
}

interface Progress {
  readonly next: number
  readonly total: number
  readonly ids: Set<string>
}

/** Never more new records than the guard against floods takes at once. */
const PAGES_IN_CHUNK = 10
const EVERYTHING = {}

/** What comes in while we read is listed last, and is read too. Whatever else moves shows in the numbers at the end. */
export async function* loadChunks(pages: Pages): AsyncGenerator<Chunk> {
  let progress: Progress = { next: 0, total: 0, ids: new Set() }
  let isLast = false
  while (!isLast) {
    const read: Page[] = []
    do {
      const page = await pages.at(progress.next, EVERYTHING)
      progress = advance(progress, page)
      read.push(page)
      isLast = progress.next === progress.total
    } while (!isLast && read.length < PAGES_IN_CHUNK)
    if (isLast) refuseRepetitions(progress)
    yield { read, isLast }
  }
}

function advance({ next, total, ids }: Progress, page: Page): Progress {
  if (page.total === 0)
    throw new FeedError('NVD says that it has no record at all: that is a breakdown, not an answer.')
  if (page.total < total)
    throw new FeedError(
      `NVD had ${total} records and now has ${page.total}: the pages have shifted, and a record may be missing. They are read again from the start.`,
    )
  if (page.startIndex !== next)
    throw new FeedError(`NVD was asked for its records from ${next} on, and gave those from ${page.startIndex} on.`)
  if (page.count === 0 || next + page.count > page.total)
    throw new FeedError(`NVD says that it has ${page.total} records, and gives ${page.count} from ${next} on.`)
  for (const id of page.ids) ids.add(id)
  return { next: next + page.count, total: page.total, ids }
}

/** As many as there are, but some of them twice: then others were skipped. */
function refuseRepetitions({ total, ids }: Progress): void {
  if (ids.size === total) return
  throw new FeedError(
    `NVD gave ${total - ids.size} of its ${total} records twice: the pages have shifted, and as many may be missing. They are read again from the start.`,
  )
}
