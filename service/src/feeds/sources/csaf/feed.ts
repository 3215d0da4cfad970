// Feeds of the publishers of CSAF documents, one per entry of CSAF_SOURCES.
import { sql } from 'kysely'
import { address, names } from '../../../domain/setting.ts'
import { CSAF_SOURCES, type CsafSourceId, mapCsafSources } from '../../../domain/source/csaf-sources.ts'
import { type Feed, FeedError } from '../../feed.ts'
import { createFeed, defineFeed } from '../../feed-definition.ts'
import type { Store } from '../../store.ts'
import { stagedStore } from '../../stores/staged-store.ts'
import { fetchFromDirectory } from './from-directory.ts'
import { type CsafRow, normaliseCsaf, type RawCsaf } from './normalise.ts'
import { collectFromProvider } from './provider/collect.ts'
import { fetchFromProvider } from './provider/fetch.ts'
import type { ProviderOptions } from './provider/provider-url.ts'

const EXAMPLE = 'https://www.example.org/.well-known/csaf/provider-metadata.json'
/** Pause between two requests to a publisher. */
const PAUSE_MS = 100
/** With up to three requests for each document, such a run takes about an hour. */
const DOCUMENTS_PER_RUN = 10_000

interface CsafSettings {
  /** Address of `provider-metadata.json`; null if it is not known. */
  readonly url: string | null
  readonly hosts: readonly string[]
}

export const csafDefinitions = mapCsafSources((id) => {
  const { metadata } = CSAF_SOURCES[id]
  return defineFeed<CsafSettings>(
    {
      url: address(nameSetting(id, 'URL'), metadata?.url ?? null, EXAMPLE),
      hosts: names(nameSetting(id, 'HOSTS'), metadata?.hosts),
    },
    (settings) => csafFeed(id, settings),
  )
})

/** For `csaf-abb`: FEED_CSAF_ABB_URL. */
function nameSetting(id: CsafSourceId, setting: string): string {
  return `FEED_${id.toUpperCase().replace('-', '_')}_${setting}`
}

/** `limits` are shorter in tests. */
export function csafFeed(
  id: CsafSourceId,
  { url, hosts }: CsafSettings,
  limits: Partial<ProviderOptions> = {},
): Feed<RawCsaf, CsafRow> {
  const { metadata } = CSAF_SOURCES[id]
  const options = {
    fingerprints: (metadata?.keys ?? []).map(({ fingerprint }) => fingerprint),
    documentsPerRun: DOCUMENTS_PER_RUN,
    pauseMs: PAUSE_MS,
    ...limits,
  }
  const readProvider = () => {
    if (url === null) throw new FeedError(`${nameSetting(id, 'URL')} is not set`)
    return { ...options, url, hosts: [new URL(url).host, ...hosts] }
  }
  return createFeed(id, {
    fetch: (context) => {
      if (context.from !== undefined) return fetchFromDirectory(id, context.from, context)
      return fetchFromProvider(readProvider(), context)
    },
    collect: async (context) => collectFromProvider(readProvider(), context),
    normalise: normaliseCsaf,
    store: csafStore(id),
    hosts,
    ...(url === null && { missingSetting: nameSetting(id, 'URL') }),
  })
}

/** A document that names no CVE any longer keeps its row, which prevents the return of an older version. */
function csafStore(feed: string): Store<CsafRow> {
  return stagedStore<CsafRow>({
    table: 'csaf_document',
    feedColumn: { name: 'feed', value: feed },
    key: ['id'],
    columns: {
      id: (row) => row.id,
      modified: (row) => row.modified,
      revision: (row) => row.revision.map(String),
      head: (row) => row.head,
      products: (row) => row.products,
    },
    contentHash: (row) => row.contentHash,
    readTime: (row) => row.modified,
    stagingColumns: {
      cve_ids: { type: 'text[] collate "C" not null', value: (row) => row.cveIds },
      statements: { type: 'text[] not null', value: (row) => row.statements },
      is_future: { type: 'boolean not null', value: (row) => row.isFuture },
    },
    isVersioned: true,
    preferred: sql`modified desc, revision desc`,
    mayOverwrite: sql`(staged.modified, staged.revision) >= (held.modified, held.revision)`,
    removal: { rule: 'keep' },
    links: {
      table: 'csaf_statement',
      rowColumn: 'document_id',
      content: { column: 'record', staged: 'statements' },
    },
    queueAs: feed,
  })
}
