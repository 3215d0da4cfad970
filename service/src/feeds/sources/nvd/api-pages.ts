// Fetches pages of NVD's API within its rate limit, and requests smaller pages while NVD is overloaded.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadError } from '../../../outbound/request-error.ts'
import type { DownloadContext, DownloadRequest } from '../../download.ts'
import { FeedError, type Reading } from '../../feed.ts'
import {
  type ContainerFile,
  type ContainerKind,
  type Members,
  parseTimestamp,
  RECORDS,
  readContainer,
  readCount,
} from './container.ts'
import { readNvdId } from './normalise.ts'

export interface ApiSettings {
  readonly apiUrl: string
  readonly apiKey: string | null
  /** Pause between two requests; without it, the pause that NVD's limit needs. */
  readonly pauseMs?: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export type Query = Readonly<Record<string, string>>

/** An endpoint of NVD's API that answers in pages, with the kind of its items. */
export interface PageKind {
  readonly container: ContainerKind
  readonly maxSize: number
  readonly readId: (raw: unknown) => string | undefined
}

export interface Page {
  readonly file: ContainerFile
  readonly kind: PageKind
  readonly bytes: number
  readonly startIndex: number
  readonly count: number
  /** CVE ids of the records on the page; a record without an id gets a unique placeholder. */
  readonly ids: readonly string[]
  readonly total: number
  readonly at: Date | undefined
}

export interface Pages {
  fetch(startIndex: number, query: Query): Promise<Page>
}

/**
 * NVD allows 5 requests in 30 s, or 50 with an API key. A failed download is retried after 5 s at the earliest, so with
 * this pause the limit is not exceeded even if every download is retried.
 */
const PAUSE_MS = 7_500
const PAUSE_WITH_KEY_MS = 750
const RECORD_PAGES: PageKind = { container: RECORDS, maxSize: 2000, readId: readNvdId }
const MIN_PAGE_SIZE = 125
const SUCCESSES_TO_RECOVER = 5
/** In 2026, NVD's records average 7 kB; the largest are 1 MB. */
const MAX_PAGE_BYTES = 512 * 1024 ** 2
/** NVD answers 403 without Retry-After when its rate limit is exceeded. */
const THROTTLE_STATUSES = [403]

/** Call it once per run: the pauses and the page size apply to the whole run. */
export function openPages(settings: ApiSettings, context: DownloadContext, kind = RECORD_PAGES): Pages {
  let requestCount = 0
  const size = createPageSize(kind.maxSize)
  const request = async (startIndex: number, query: Query): Promise<Page> => {
    if (requestCount > 0) await settings.sleep(findPause(settings), context.signal)
    context.signal.throwIfAborted()
    requestCount += 1
    const parameters = { ...query, resultsPerPage: String(size.current()), startIndex: String(startIndex) }
    const file = {
      path: join(context.spool, `page-${requestCount}.json`),
      name: `NVD's page that starts at index ${startIndex}`,
    }
    await context.download.file(buildRequest(settings, parameters), file.path)
    return inspectPage(file, kind)
  }
  const fetch = async (startIndex: number, query: Query): Promise<Page> => {
    try {
      const page = await request(startIndex, query)
      size.recover()
      return page
    } catch (error) {
      if (!isOverload(error) || !size.halve()) throw error
    }
    return fetch(startIndex, query)
  }
  return { fetch }
}

function findPause({ apiKey, pauseMs = PAUSE_MS }: ApiSettings): number {
  return apiKey === null ? pauseMs : Math.min(pauseMs, PAUSE_WITH_KEY_MS)
}

function createPageSize(maxSize: number) {
  let [size, successes] = [maxSize, 0]
  return {
    current: () => size,
    halve: (): boolean => {
      if (size <= MIN_PAGE_SIZE) return false
      size = Math.max(Math.floor(size / 2), MIN_PAGE_SIZE)
      successes = 0
      return true
    },
    recover: () => {
      successes += 1
      if (successes % SUCCESSES_TO_RECOVER === 0) size = Math.min(size * 2, maxSize)
    },
  }
}

function buildRequest({ apiUrl, apiKey }: ApiSettings, parameters: Query): DownloadRequest {
  return {
    url: `${apiUrl}?${new URLSearchParams(parameters).toString()}`,
    maxBytes: MAX_PAGE_BYTES,
    throttleStatuses: THROTTLE_STATUSES,
    ...(apiKey !== null && { headers: { apiKey } }),
  }
}

/** Reads a page of NVD's API to its end, so that a truncated page is detected before anything is stored. */
export async function inspectPage(file: ContainerFile, kind: PageKind): Promise<Page> {
  let bytes = 0
  const onBytes = (more: number) => {
    bytes += more
  }
  const ids: string[] = []
  let members: Members = {}
  const onMembers = (all: Members) => {
    members = all
  }
  for await (const reading of readContainer(file, onBytes, onMembers, kind.container)) {
    const id = 'raw' in reading ? kind.readId(reading.raw) : undefined
    ids.push(id ?? `${file.name}, number ${ids.length}`)
  }
  return {
    file,
    kind,
    bytes,
    ids,
    count: ids.length,
    startIndex: readCount(file, members, 'startIndex'),
    total: readCount(file, members, 'totalResults'),
    at: parseTimestamp(members),
  }
}

/** If every attempt failed for a transient reason, a smaller page may succeed. */
function isOverload(error: unknown): boolean {
  return error instanceof FeedError && error.cause instanceof DownloadError && error.cause.isTransient
}

export async function* readPages(
  pages: readonly Page[],
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  for (const { file, kind } of pages) yield* readContainer(file, onBytes, () => {}, kind.container)
}

export async function deletePages(pages: readonly Page[]): Promise<void> {
  for (const { file } of pages) await rm(file.path, { force: true })
}
