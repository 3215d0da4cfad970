// Pages of GitHub's API. Each names the next one by a cursor in its Link header, and only that cursor is believed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDateTime } from '../../../domain/instant.ts'
import type { Validators } from '../../download.ts'
import { FeedError, type Reading, type FetchContext } from '../../feed.ts'
import { parseRecord } from '../../formats/parse-json.ts'
import { printable } from '../../sanitize-text.ts'
import { updatedAt } from './normalise.ts'

export interface ApiSettings {
  readonly apiUrl: string
  /** Without one, GitHub answers 60 times an hour; with one, 5000 times. */
  readonly token: string | null
}

export interface Page {
  readonly path: string
  readonly bytes: number
  readonly count: number
  /** Of its records, the time of the newest. */
  readonly newest: Date | undefined
  readonly validators: Validators
  /** Where the next one begins; undefined: this is the last one. */
  readonly next: string | undefined
}

export const PAGE_SIZE = 100
/** A page has one as a rule; parsed, hostile JSON takes thirty times its size. */
const MAX_PAGE_BYTES = 16 * 1024 ** 2

/** Undefined: it is still as it was when GitHub gave us these validators. */
export async function askForPage(
  settings: ApiSettings,
  context: FetchContext,
  wanted: { readonly url: URL; readonly validators?: Validators; readonly number: number },
): Promise<Page | undefined> {
  const { url, number, validators } = wanted
  const path = join(context.spool, `page-${number}.json`)
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(settings.token !== null && { authorization: `Bearer ${settings.token}` }),
  }
  // GitHub says "too many requests" with 403 as well.
  const request = { url: url.href, maxBytes: MAX_PAGE_BYTES, headers, throttledBy: [403] }
  const got = await context.download.file({ ...request, ...(validators && { validators }) }, path)
  if (got.isUnchanged) return undefined
  const records = await recordsIn(path, number)
  const times = records.flatMap((each) => parseDateTime(updatedAt(each)) ?? [])
  return {
    path,
    bytes: got.bytes,
    count: records.length,
    newest: times.reduce<Date | undefined>((last, each) => (last && last > each ? last : each), undefined),
    validators: got.validators,
    next: nextIn(got.link, new URL(settings.apiUrl)),
  }
}

async function recordsIn(path: string, number: number): Promise<readonly unknown[]> {
  const parsed = parseRecord(await readFile(path))
  const what = `Page ${number} of GitHub's advisories`
  if ('fault' in parsed) throw new FeedError(`${what} cannot be read: ${parsed.fault}.`)
  if (!Array.isArray(parsed.value)) throw new FeedError(`${what} is no list of advisories.`)
  return parsed.value
}

/** Where it leads is not followed but checked: a token goes with the question. */
function nextIn(link: string | undefined, api: URL): string | undefined {
  const target = (link ?? '').split(/,\s*(?=<)/).find((each) => /;\s*rel="?next"?\s*(?:;|$)/i.test(each))
  if (target === undefined) return undefined
  const url = URL.parse(/^\s*<([^>]*)>/.exec(target)?.[1] ?? '', api.href)
  if (url?.origin !== api.origin || url.pathname !== api.pathname)
    throw new FeedError(
      `GitHub's API says that its next page is at ${printable(url ? url.origin + url.pathname : target)}, and not below ${api.origin + api.pathname}. It is not asked for.`,
    )
  const after = url.searchParams.get('after')
  if (!after) throw new FeedError("GitHub's API names a next page, and does not say where it begins.")
  return after
}

/** Of pages that were read before, and found to be lists. */
export async function* recordsOf(
  pages: readonly Page[],
  onBytes: (count: number) => void,
): AsyncGenerator<Reading<unknown>> {
  for (const [index, { path, bytes }] of pages.entries()) {
    for (const raw of await recordsIn(path, index + 1)) yield { raw }
    onBytes(bytes)
  }
}
