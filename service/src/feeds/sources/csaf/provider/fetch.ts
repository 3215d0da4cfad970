// Imports a provider's documents from the network: reads its metadata and its lists, then downloads the documents that
// have changed since the last run.
import type { DownloadContext } from '../../../download.ts'
import type { Delivery, FetchContext, Rejected } from '../../../feed.ts'
import { FeedError } from '../../../feed.ts'
import type { RawCsaf } from '../normalise.ts'
import { findPending, forgetUnlisted, type ProviderCursor, readCursor } from './cursor.ts'
import { fetchDirectory } from './directory.ts'
import { fetchDocuments, type Work } from './fetch-documents.ts'
import { type DocumentList, MAX_LISTED, mergeLists } from './listing.ts'
import { fetchMetadata, type ProviderMetadata } from './metadata.ts'
import { fetchTrustedKeys } from './openpgp.ts'
import type { ProviderOptions } from './provider-url.ts'
import { fetchRolie } from './rolie.ts'

export async function* fetchFromProvider(
  options: ProviderOptions,
  context: FetchContext,
): AsyncGenerator<Delivery<RawCsaf>> {
  const cursor = readCursor(context)
  const metadata = await fetchMetadata(options, context)
  const lists = await fetchLists(metadata, cursor, options, context)
  const work = planWork(lists, cursor, options)
  const keys = work.selected.length > 0 ? await fetchTrustedKeys(metadata, options, context) : []
  yield* fetchDocuments(work, { options, context, keys, publisher: metadata.publisher })
}

/** By address of the distribution; undefined for an unchanged list. */
type Lists = ReadonlyMap<string, DocumentList | undefined>

export async function fetchLists(
  { distributions }: ProviderMetadata,
  cursor: Pick<ProviderCursor, 'failed' | 'validators'>,
  options: ProviderOptions,
  context: DownloadContext,
): Promise<Lists> {
  const lists = new Map<string, DocumentList | undefined>()
  // The documents that failed are looked up in the lists, so the lists are needed even if they are unchanged.
  const held = Object.keys(cursor.failed).length === 0 ? cursor.validators : {}
  for (const [index, distribution] of distributions.entries()) {
    const { kind, url } = distribution
    const request = { distribution, validators: held[url.href], name: `list-${index}` }
    const fetchList = kind === 'rolie' ? fetchRolie : fetchDirectory
    lists.set(url.href, await fetchList(request, options, context))
    const count = [...lists.values()].reduce((sum, list) => sum + (list?.documents.length ?? 0), 0)
    if (count > MAX_LISTED)
      throw new FeedError(`The lists to which ${options.url} leads name more than ${MAX_LISTED} documents`)
  }
  return lists
}

function planWork(lists: Lists, cursor: ProviderCursor, { url, documentsPerRun }: ProviderOptions): Work {
  const read = [...lists.values()].flatMap((list) => list ?? [])
  const listed = mergeLists(read)
  const rejected: readonly Rejected[] = read.flatMap((list) => list.rejected)
  const isWhole = read.length === lists.size
  // A provider withdraws a document with a new version of it; lists without any document are a failure of its server.
  if (isWhole && listed.length + rejected.length === 0) throw namesNoDocument(url)
  const pending = findPending(listed, cursor)
  return {
    cursor: isWhole ? forgetUnlisted(cursor, listed) : cursor,
    listed: isWhole ? listed.length : undefined,
    rejected,
    selected: pending.slice(0, documentsPerRun),
    postponed: Math.max(0, pending.length - documentsPerRun),
    validators: collectValidators(lists, cursor),
  }
}

export function namesNoDocument(url: string): FeedError {
  return new FeedError(`The lists to which ${url} leads name no document. The stored data is unchanged.`)
}

function collectValidators(lists: Lists, held: ProviderCursor): ProviderCursor['validators'] {
  const entries = [...lists].map(([url, list]) => [url, list?.validators ?? held.validators[url] ?? {}] as const)
  return Object.fromEntries(entries)
}
