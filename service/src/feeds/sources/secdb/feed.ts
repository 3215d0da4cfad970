// Feeds of the security databases of Alpine Linux, Wolfi and Chainguard, one per entry of SECDB_SOURCES.
import { basename, join } from 'node:path'
import { Type } from 'typebox'
import { address } from '../../../domain/setting.ts'
import { SECDB_SOURCE_IDS, SECDB_SOURCES, type SecdbSourceId } from '../../../domain/source/secdb-sources.ts'
import type { CollectContext, Collection } from '../../collect.ts'
import type { Validators } from '../../download.ts'
import { type Delivery, type Feed, type FetchContext, NoFilesError } from '../../feed.ts'
import { createFeed, defineFeed, type FeedDefinition } from '../../feed-definition.ts'
import { listFiles } from '../../formats/directory.ts'
import { compileSchema, httpValidators } from '../../schema-check.ts'
import { type AdvisoryRow, advisoryStore } from '../../stores/advisory.ts'
import { normaliseSecdb } from './normalise.ts'
import { MAX_BYTES, type RawVulnerability, readDocuments } from './read-documents.ts'
import { readIds } from './read-ids.ts'

// Both casts are safe: the keys are the ids of the sources.
export const secdbDefinitions = Object.fromEntries(SECDB_SOURCE_IDS.map((id) => [id, defineSecdbFeed(id)])) as Readonly<
  Record<SecdbSourceId, FeedDefinition>
>

function defineSecdbFeed(id: SecdbSourceId): FeedDefinition {
  return defineFeed({ url: address(`FEED_${id.toUpperCase()}_URL`, SECDB_SOURCES[id].base) }, (settings) =>
    secdbFeed(id, settings),
  )
}

export function secdbFeed(id: SecdbSourceId, settings: { readonly url: string }): Feed<RawVulnerability, AdvisoryRow> {
  const isId = (text: string) => readIds(text).ids.includes(text)
  return createFeed(id, {
    fetch: (context) =>
      context.from === undefined ? fetchOnline(id, settings.url, context) : fetchFromDirectory(id, context.from),
    collect: (context) => collectDocuments(id, settings.url, context),
    normalise: (raw) => normaliseSecdb(id, raw),
    store: advisoryStore(id, isId, { isDated: false }),
  })
}

const CURSOR = compileSchema(Type.Object({ validators: Type.Record(Type.String(), httpValidators) }))

interface File {
  readonly path: string
  readonly bytes: number
}

/** Downloads all documents if one has changed. */
async function* fetchOnline(
  id: SecdbSourceId,
  url: string,
  context: FetchContext,
): AsyncGenerator<Delivery<RawVulnerability>> {
  const held = CURSOR.matches(context.cursor) ? context.cursor.validators : {}
  const [files, validators] = [new Map<string, File>(), new Map<string, Validators>()]
  const download = async (document: string, known: Validators | undefined) => {
    const { name, ...request } = toRequest(id, url, document)
    const path = join(context.spool, name)
    const result = await context.download.file({ ...request, ...(known && { validators: known }) }, path)
    if (result.isUnchanged) return
    files.set(document, { path, bytes: result.bytes })
    validators.set(document, result.validators)
  }
  const { documents } = SECDB_SOURCES[id]
  for (const document of documents) await download(document, held[document])
  if (files.size === 0) return
  for (const document of documents) if (!files.has(document)) await download(document, undefined)
  yield toDelivery(id, [...files.values()], { validators: Object.fromEntries(validators) })
}

function toRequest(id: SecdbSourceId, url: string, document: string) {
  const name = `${id}-${document.replaceAll('/', '-')}`
  return { name, url: `${url.replace(/\/$/, '')}/${document}`, maxBytes: MAX_BYTES }
}

async function collectDocuments(id: SecdbSourceId, url: string, context: CollectContext): Promise<Collection> {
  for (const document of SECDB_SOURCES[id].documents) await context.file(toRequest(id, url, document))
  return { index: 'whole' }
}

async function* fetchFromDirectory(id: SecdbSourceId, directory: string): AsyncGenerator<Delivery<RawVulnerability>> {
  // regex-bound: the name of a file has at most 255 characters
  const files = await listFiles(directory, id, new RegExp(`^${id}-[\\w.-]+\\.json(?:\\.gz)?$`))
  if (files.length === 0) throw new NoFilesError(`${directory} contains no file such as ${id}-security.json.`)
  // Without HTTP validators, the next download is unconditional.
  const newest = files.reduce((last, each) => (each.modifiedAt > last.modifiedAt ? each : last))
  yield { ...toDelivery(id, files, { validators: {} }), deliveredAt: newest.modifiedAt }
}

function toDelivery(id: SecdbSourceId, files: readonly File[], cursor: object): Delivery<RawVulnerability> {
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0)
  // The order is that of the products in a record, so a download and a directory must have the same one.
  const paths = files.map(({ path }) => path).sort((one, other) => (basename(one) < basename(other) ? -1 : 1))
  return {
    label: `${SECDB_SOURCES[id].title}: ${files.length} ${files.length === 1 ? 'document' : 'documents'}`,
    kind: 'snapshot',
    upstreamAt: undefined,
    cursor,
    bytes: { before: 0, own: bytes, total: bytes },
    records: (onBytes) => readDocuments(paths, onBytes),
  }
}
