// Pages of NVD's API, asked for with its manners: never in haste, smaller when it is overloaded, the key in a header.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Trouble } from '../../download/download-error.ts'
import type { DownloadRequest } from '../../download.ts'
import { FeedError, type Reading, type FetchContext } from '../../feed.ts'
import { type ContainerFile, instantOf, type Members, numberOf, wrappedRecords } from './container.ts'
import { nvdIdOf } from './normalise.ts'

export interface ApiSettings {
  readonly apiUrl: string
  readonly apiKey: string | null
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Which records are asked for: all, or those that were modified within a window. */
type Query = Readonly<Record<string, string>>

export interface Page {
  readonly file: ContainerFile
  readonly bytes: number
  readonly startIndex: number
  readonly count: number
  /** What its records call themselves, or something else that is unique. */
  readonly ids: readonly string[]
  /** Of all pages, at the time of this one. */
  readonly total: number
  readonly at: Date | undefined
}

export interface Pages {
  at(startIndex: number, query: Query): Promise<Page>
}

/**
 * NVD allows 5 requests in 30 seconds, and 50 with a key. A download that is turned away asks again after 5 seconds at
 * the earliest; the pause is so long that even then, every time, there are no more.
 */
const PAUSE_MS = 7_500
const PAUSE_WITH_KEY_MS = 750
const MAX_PAGE_SIZE = 2000
const MIN_PAGE_SIZE = 125
const SUCCESSES_TO_RECOVER = 5
/** A record of 2026 has 7 kB on average; the largest have a megabyte. */
const MAX_PAGE_BYTES = 512 * 1024 ** 2
/** NVD says so when it was asked too often; without a Retry-After. */
const THROTTLED = [403]

/** Asks one question after another; there is one of these in a run. */
export function apiPages(settings: ApiSettings, context: FetchContext): Pages {
  let asked = 0
  const size = pageSize()
  const ask = async (startIndex: number, query: Query): Promise<Page> => {
    if (asked > 0) await settings.sleep(settings.apiKey === null ? PAUSE_MS : PAUSE_WITH_KEY_MS, context.signal)
    context.signal.throwIfAborted()
    asked += 1
    const wanted = { ...query, resultsPerPage: String(size.now()), startIndex: String(startIndex) }
    const file = { path: join(context.spool, `page-${asked}.json`), name: `NVD's page from record ${startIndex} on` }
    await context.download.file(requestFor(settings, wanted), file.path)
    return inspect(file)
  }
  const at = async (startIndex: number, query: Query): Promise<Page> => {
    try {
      const page = await ask(startIndex, query)
      size.recover()
      return page
    } catch (error) {
      if (!isOverload(error) || !size.halve()) throw error
    }
    return at(startIndex, query)
  }
  return { at }
}

function pageSize() {
  let [size, successes] = [MAX_PAGE_SIZE, 0]
  return {
    now: () => size,
    halve: (): boolean => {
      if (size <= MIN_PAGE_SIZE) return false
      size = Math.max(Math.floor(size / 2), MIN_PAGE_SIZE)
      successes = 0
      return true
    },
    recover: () => {
      successes += 1
      if (successes % SUCCESSES_TO_RECOVER === 0) size = Math.min(size * 2, MAX_PAGE_SIZE)
    },
  }
}

function requestFor({ apiUrl, apiKey }: ApiSettings, wanted: Query): DownloadRequest {
  return {
    url: `${apiUrl}?${new URLSearchParams(wanted).toString()}`,
    maxBytes: MAX_PAGE_BYTES,
    throttledBy: THROTTLED,
    ...(apiKey !== null && { headers: { apiKey } }),
  }
}

/** Reads it through: what is not complete must be known before anything is stored. */
async function inspect(file: ContainerFile): Promise<Page> {
  let bytes = 0
  const onBytes = (more: number) => {
    bytes += more
  }
  const ids: string[] = []
  let members: Members = {}
  const atEnd = (all: Members) => {
    members = all
  }
  for await (const reading of wrappedRecords(file, onBytes, atEnd)) {
    const id = 'raw' in reading ? nvdIdOf(reading.raw) : undefined
    ids.push(id ?? `${file.name}, number ${ids.length}`)
  }
  return {
    file,
    bytes,
    ids,
    count: ids.length,
    startIndex: numberOf(file, members, 'startIndex'),
    total: numberOf(file, members, 'totalResults'),
    at: instantOf(members),
  }
}

/** Whether a smaller question might get an answer: only what has failed again and again for a passing reason. */
function isOverload(error: unknown): boolean {
  return error instanceof FeedError && error.cause instanceof Trouble && error.cause.isPassing
}

/** The records of pages that were read before, and found complete. */
export async function* recordsOfPages(
  pages: readonly Page[],
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  for (const { file } of pages) yield* wrappedRecords(file, onBytes, () => {})
}

export async function discard(pages: readonly Page[]): Promise<void> {
  for (const { file } of pages) await rm(file.path, { force: true })
}
