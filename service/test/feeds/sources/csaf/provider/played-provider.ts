// A local server that plays a provider of CSAF documents: with a directory, a ROLIE feed or both.
import { createHash } from 'node:crypto'
import type { DownloadSettings } from '../../../../../src/feeds/download/open-download.ts'
import type { RunReport } from '../../../../../src/feeds/engine/run.ts'
import { csafFeed } from '../../../../../src/feeds/sources/csaf/feed.ts'
import type { ProviderOptions } from '../../../../../src/feeds/sources/csaf/provider/provider-url.ts'
import { createTestDownload } from '../../../../support/network/downloads.ts'
import { type Content, type Handler, startUpstream, type Upstream } from '../../../../support/network/upstream.ts'
import type { FeedHarness } from '../../../feed-harness.ts'
import { csafDocument } from '../fixtures.ts'

export interface ProviderServer {
  readonly upstream: Upstream
  /** Address of a file in the provider's folder. */
  address(path: string): string
  /** Serves a file in the provider's folder. */
  serve(path: string, answer: Content | Handler): void
  /** Serves documents, each with the path `2024/ID.json`, and their list. */
  publish(...documents: readonly PublishedDocument[]): void
  /** Paths in the provider's folder that were requested since the last call, sorted. */
  takeRequests(): string[]
}

export interface PlayedProvider extends ProviderServer {
  sync(changed?: Parameters<FeedHarness['run']>[1]): Promise<RunReport>
  /** Ids and titles of the stored documents. */
  stored(): Promise<string[]>
}

export interface PublishedDocument {
  readonly id: string
  readonly content: Content
  readonly at: string
}

interface ServerPlay {
  readonly lists?: readonly ('directory' | 'rolie')[]
  /** Returns the armored signature of a document. */
  readonly sign?: (content: Buffer) => Promise<string> | string
  readonly hashes?: boolean
}

interface ProviderPlay extends ServerPlay {
  readonly limits?: Partial<ProviderOptions>
  readonly download?: Partial<DownloadSettings>
}

const FOLDER = '/csaf'
export const FEED = 'csaf-abb'

export function published(
  id: string,
  at = '2026-08-20T10:00:00Z',
  options: Parameters<typeof csafDocument>[1] = {},
): PublishedDocument {
  return { id, at, content: JSON.stringify(csafDocument(id, { released: at, ...options })) }
}

export const toPath = (id: string) => `2024/${id.toLowerCase()}.json`

/** Starts only the server. */
export async function playProvider({
  lists = ['directory'],
  hashes = true,
  sign,
}: ServerPlay = {}): Promise<ProviderServer> {
  const upstream = await startUpstream()
  const address = (path: string) => `${upstream.url}${FOLDER}/${path}`
  const serve = (path: string, answer: Content | Handler) => upstream.serve(`${FOLDER}/${path}`, answer)
  serve('provider-metadata.json', {
    canonical_url: address('provider-metadata.json'),
    distributions: [
      ...(lists.includes('directory') ? [{ directory_url: address('') }] : []),
      ...(lists.includes('rolie')
        ? [{ rolie: { feeds: [{ summary: 'All', tlp_label: 'WHITE', url: address('feed.json') }] } }]
        : []),
    ],
    last_updated: '2026-08-20T10:00:00Z',
    publisher: { category: 'vendor', name: 'Acme', namespace: 'https://acme.example' },
    role: 'csaf_trusted_provider',
  })
  let taken = 0
  return {
    upstream,
    address,
    serve,
    publish: (...documents) => {
      for (const { id, content } of documents) {
        const bytes = toBytes(content)
        serve(toPath(id), bytes)
        if (hashes) serve(`${toPath(id)}.sha256`, `${digest(bytes)}  ${id.toLowerCase()}.json\n`)
        if (sign) serve(`${toPath(id)}.asc`, async (_request, response) => response.end(await sign(bytes)))
      }
      if (lists.includes('directory')) serve('changes.csv', writeChanges(documents))
      if (lists.includes('rolie'))
        serve('feed.json', { feed: { entry: documents.map((each) => toEntry(each, address)) } })
    },
    takeRequests: () => {
      const all = upstream.requests()
      const paths = all.slice(taken).map(({ path }) => path.slice(FOLDER.length + 1))
      taken = all.length
      return paths.sort()
    },
  }
}

export async function startProvider(harness: FeedHarness, play: ProviderPlay = {}): Promise<PlayedProvider> {
  const server = await playProvider(play)
  const url = server.address('provider-metadata.json')
  const feed = csafFeed(FEED, { url, hosts: [] }, { pauseMs: 0, ...play.limits })
  return {
    ...server,
    sync: (changed) =>
      harness.run(feed, { openDownload: () => createTestDownload([server.upstream], play.download), ...changed }),
    stored: async () => {
      const rows = await harness.selectRows<{ text: string }>(
        `select id || ' ' || coalesce(head::jsonb ->> 'title', 'withdrawn') as text
           from source.csaf_document where feed = '${FEED}' order by id`,
      )
      return rows.map(({ text }) => text)
    },
  }
}

export function writeChanges(documents: readonly Pick<PublishedDocument, 'id' | 'at'>[]): string {
  return documents.map(({ id, at }) => `"${toPath(id)}","${at}"\n`).join('')
}

function toEntry({ id, at }: PublishedDocument, address: (path: string) => string) {
  const href = address(toPath(id))
  return {
    id,
    title: id,
    published: at,
    updated: at,
    link: [
      { rel: 'self', href },
      { rel: 'hash', href: `${href}.sha256` },
      { rel: 'signature', href: `${href}.asc` },
    ],
    content: { type: 'application/json', src: href },
  }
}

function toBytes(content: Content): Buffer {
  return Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
