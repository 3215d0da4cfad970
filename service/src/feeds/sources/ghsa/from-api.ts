// What has changed since we last asked GitHub's API, the latest change first.
import { formatInstant } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { type ApiSettings, askForPage, PAGE_SIZE, type Page, recordsOf } from './api-pages.ts'
import { askedFrom, type GhsaCursor, mayAskForArchive, readCursor } from './cursor.ts'
import { fromArchive } from './from-archive.ts'

export interface GhsaSettings extends ApiSettings {
  readonly archiveUrl: string
}

/** Within what GitHub allows without a token. From there on, all of it at once is less trouble. */
const MAX_PAGES = 40

export async function* fromNetwork(settings: GhsaSettings, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  const cursor = readCursor(context)
  if (!cursor) return yield* fromArchive(settings.archiveUrl, context)
  const query = queryFor(settings.apiUrl, askedFrom(cursor.at))
  const read = await readPages(settings, context, { query, held: cursor.first })
  if (!read) return
  if (!read.isComplete) {
    const isDue = mayAskForArchive(cursor, context.now)
    context.notice(
      `GitHub's API has more changes than it gives us: ${isDue ? 'the archive is read again' : 'these are the latest'}.`,
    )
    if (isDue) return yield* fromArchive(settings.archiveUrl, context)
  }
  const [first] = read.pages
  if (!first?.newest) return context.notice(`GitHub says that no advisory changed since ${cursor.since}.`)
  yield {
    label: `changed since ${formatInstant(askedFrom(cursor.at))}`,
    upstreamAt: first.newest,
    cursor: placeAfter(cursor, { ...read, query }, context.now),
    ...contentOf(read.pages),
  }
}

/**
 * The latest change comes first: so the first page tells whether anything changed at all, and what changes while we
 * read is newer than what we have seen, and comes next time.
 */
function queryFor(apiUrl: string, from: Date): URL {
  const url = new URL(apiUrl)
  const query = { type: 'reviewed', sort: 'updated', direction: 'desc', per_page: String(PAGE_SIZE) }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  url.searchParams.set('modified', `>=${formatInstant(from)}`)
  return url
}

interface Question {
  readonly query: URL
  readonly held: GhsaCursor['first']
}

interface Read {
  readonly pages: readonly Page[]
  readonly isComplete: boolean
}

/** Undefined: nothing has changed at all. */
async function readPages(settings: ApiSettings, context: FetchContext, { query, held }: Question): Promise<Read | undefined> {
  const pages: Page[] = []
  const places = new Set<string>()
  let url = query
  while (pages.length < MAX_PAGES) {
    context.signal.throwIfAborted()
    const validators = held?.url === url.href ? held.validators : {}
    const page = await askForPage(settings, context, { url, validators, number: pages.length + 1 })
    if (!page) return undefined
    pages.push(page)
    // A full page that is the last one: as likely, something on the way has dropped the header that names the next.
    if (page.next === undefined) return { pages, isComplete: page.count < PAGE_SIZE }
    if (places.has(page.next)) throw new FeedError("The pages of GitHub's API lead in a circle.")
    places.add(page.next)
    url = new URL(query)
    url.searchParams.set('after', page.next)
  }
  return { pages, isComplete: false }
}

/** It never goes back, never ahead of us, and never past a change that we have not seen. */
function placeAfter(
  { at, since, archiveAt }: GhsaCursor & { readonly at: Date },
  { pages: [first], isComplete, query }: Read & Pick<Question, 'query'>,
  now: Date,
): GhsaCursor {
  if (!isComplete || !first?.newest) return { since, archiveAt, first: null }
  const latest = Math.max(at.getTime(), Math.min(first.newest.getTime(), now.getTime()))
  const asked = { url: query.href, validators: first.validators }
  return { since: formatInstant(new Date(latest)), archiveAt, first: asked }
}

function contentOf(pages: readonly Page[]): Pick<Delivery<unknown>, 'kind' | 'bytes' | 'records'> {
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0)
  return { kind: 'delta', bytes: { before: 0, own: total, total }, records: (onBytes) => recordsOf(pages, onBytes) }
}
