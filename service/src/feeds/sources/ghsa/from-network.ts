// Imports GitHub's advisories from the network: the whole archive on the first run, then the advisories that changed
// since the last run from GitHub's REST API. Each page of the API names the next page by a cursor in its Link header.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { Validators } from '../../download.ts'
import { type Delivery, FeedError, type FetchContext, type Reading } from '../../feed.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { sanitizeText } from '../../sanitize-text.ts'
import { readText } from '../../schema-check.ts'
import { fetchArchive } from './archive.ts'
import { type GhsaCursor, isArchiveDue, readCursor, subtractOverlap } from './cursor.ts'

export interface GhsaSettings {
  readonly archiveUrl: string
  readonly apiUrl: string
  /** GitHub token. GitHub allows 60 requests per hour without a token and 5,000 with one. */
  readonly token: string | null
}

interface Page {
  readonly path: string
  readonly bytes: number
  readonly count: number
  readonly newest: Date | undefined
  readonly validators: Validators
  /** Cursor from the Link header; undefined on the last page. */
  readonly next: string | undefined
}

/**
 * Below the 60 requests per hour that GitHub allows without a token. If there are more changes, the archive is
 * downloaded.
 */
const MAX_PAGES = 40
const PAGE_SIZE = 100
/** A page is usually 1 MiB. Hostile JSON can take thirty times its size in memory once it is parsed. */
const MAX_PAGE_BYTES = 16 * 1024 ** 2

export async function* fetchFromNetwork(
  settings: GhsaSettings,
  context: FetchContext,
): AsyncGenerator<Delivery<unknown>> {
  const cursor = readCursor(context)
  if (!cursor) return yield* fetchArchive(settings.archiveUrl, context)
  const query = buildQuery(settings.apiUrl, subtractOverlap(cursor.at))
  const fetched = await fetchPages(settings, context, { query, previous: cursor.first })
  if (!fetched) return
  if (!fetched.isComplete) {
    const isDue = isArchiveDue(cursor, context.now)
    context.notice(
      `GitHub's API did not return all changes since ${cursor.since}: ${isDue ? 'importing the archive instead' : 'importing only the latest'}.`,
    )
    if (isDue) return yield* fetchArchive(settings.archiveUrl, context)
  }
  const [first] = fetched.pages
  if (!first?.newest) return context.notice(`GitHub's API lists no advisory that changed since ${cursor.since}.`)
  yield {
    label: `changed since ${formatInstant(subtractOverlap(cursor.at))}`,
    upstreamAt: first.newest,
    cursor: nextCursor(cursor, { ...fetched, query }, context.now),
    ...describeContent(fetched.pages),
  }
}

/**
 * Requests the latest changes first: an advisory that changes during the run moves to the front, where the next run
 * finds it.
 */
function buildQuery(apiUrl: string, from: Date): URL {
  const url = new URL(apiUrl)
  const query = { type: 'reviewed', sort: 'updated', direction: 'desc', per_page: String(PAGE_SIZE) }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  url.searchParams.set('modified', `>=${formatInstant(from)}`)
  return url
}

interface ApiQuery {
  readonly query: URL
  readonly previous: GhsaCursor['first']
}

interface FetchedPages {
  readonly pages: readonly Page[]
  /** False if the API may list more changes than the fetched pages contain. */
  readonly isComplete: boolean
}

async function fetchPages(
  settings: GhsaSettings,
  context: FetchContext,
  { query, previous }: ApiQuery,
): Promise<FetchedPages | undefined> {
  const pages: Page[] = []
  const cursors = new Set<string>()
  let url = query
  while (pages.length < MAX_PAGES) {
    context.signal.throwIfAborted()
    const validators = previous?.url === url.href ? previous.validators : {}
    const page = await fetchPage(settings, context, { url, validators, number: pages.length + 1 })
    if (!page) return undefined
    pages.push(page)
    // A full page is not assumed to be the last one, because a proxy may have dropped its Link header.
    if (page.next === undefined) return { pages, isComplete: page.count < PAGE_SIZE }
    if (cursors.has(page.next)) throw new FeedError("GitHub's API returned the same page cursor twice.")
    cursors.add(page.next)
    url = new URL(query)
    url.searchParams.set('after', page.next)
  }
  return { pages, isComplete: false }
}

/** The cursor's time never moves back, never past now, and never past a change that was not fetched. */
function nextCursor(
  { at, recordVersion, since, archiveAt }: GhsaCursor & { readonly at: Date },
  { pages: [first], isComplete, query }: FetchedPages & Pick<ApiQuery, 'query'>,
  now: Date,
): GhsaCursor {
  if (!isComplete || !first?.newest) return { recordVersion, since, archiveAt, first: null }
  const latest = Math.max(at.getTime(), Math.min(first.newest.getTime(), now.getTime()))
  const firstPage = { url: query.href, validators: first.validators }
  return { recordVersion, since: formatInstant(new Date(latest)), archiveAt, first: firstPage }
}

function describeContent(pages: readonly Page[]): Pick<Delivery<unknown>, 'kind' | 'bytes' | 'records'> {
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    kind: 'delta',
    bytes: { before: 0, own: total, total },
    records: (onBytes) => readAdvisories(pages, onBytes),
  }
}

async function fetchPage(
  settings: GhsaSettings,
  context: FetchContext,
  page: { readonly url: URL; readonly validators?: Validators; readonly number: number },
): Promise<Page | undefined> {
  const { url, number, validators } = page
  const path = join(context.spool, `page-${number}.json`)
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(settings.token !== null && { authorization: `Bearer ${settings.token}` }),
  }
  // GitHub also answers 403 when its rate limit is exceeded.
  const request = { url: url.href, maxBytes: MAX_PAGE_BYTES, headers, throttleStatuses: [403] }
  const downloaded = await context.download.file({ ...request, ...(validators && { validators }) }, path)
  if (downloaded.isUnchanged) return undefined
  const records = await readPageFile(path, number)
  const times = records.flatMap((each) => parseDateTime(readText(each, 'updated_at') ?? '') ?? [])
  return {
    path,
    bytes: downloaded.bytes,
    count: records.length,
    newest: times.reduce<Date | undefined>((last, each) => (last && last > each ? last : each), undefined),
    validators: downloaded.validators,
    next: parseNextCursor(downloaded.link, new URL(settings.apiUrl)),
  }
}

async function readPageFile(path: string, number: number): Promise<readonly unknown[]> {
  const parsed = parseRecord(await readFile(path))
  const page = `Page ${number} of GitHub's advisories`
  if ('error' in parsed) throw new FeedError(`${page} cannot be parsed: ${parsed.error}.`)
  if (!Array.isArray(parsed.value)) throw new FeedError(`${page} is not a JSON array.`)
  return parsed.value
}

/** The link is never followed: the request carries our token, and the link could name another host. */
function parseNextCursor(link: string | undefined, api: URL): string | undefined {
  const target = (link ?? '').split(/,\s*(?=<)/).find((each) => /;\s*rel="?next"?\s*(?:;|$)/i.test(each))
  if (target === undefined) return undefined
  const url = URL.parse(/^\s*<([^>]*)>/.exec(target)?.[1] ?? '', api.href)
  if (url?.origin !== api.origin || url.pathname !== api.pathname)
    throw new FeedError(
      `GitHub's API links its next page at ${sanitizeText(url ? url.origin + url.pathname : target)}, not at ${api.origin + api.pathname}. The link was not followed.`,
    )
  const after = url.searchParams.get('after')
  if (!after) throw new FeedError("GitHub's API links a next page without an `after` cursor.")
  return after
}

async function* readAdvisories(
  pages: readonly Page[],
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  for (const [index, { path, bytes }] of pages.entries()) {
    for (const raw of await readPageFile(path, index + 1)) yield { raw }
    onBytes(bytes)
  }
}
