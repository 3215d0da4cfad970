// One file of NVD and its .meta, from the network.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FeedError, type FetchContext } from '../../feed.ts'
import { MAX_JSON_BYTES } from './container.ts'
import { difference, type Meta, parseMeta } from './meta.ts'
import type { FileKey } from './year.ts'

const MAX_META_BYTES = 4096
/** The largest file of 2026 has 25 MB. */
const MAX_PACKED_BYTES = 512 * 1024 ** 2

export function fileName(key: FileKey): string {
  return `nvdcve-2.0-${key}.json.gz`
}

export async function obtainMeta(baseUrl: string, { download, spool }: FetchContext, key: FileKey): Promise<Meta> {
  const name = `nvdcve-2.0-${key}.meta`
  const path = join(spool, name)
  await download.file({ url: addressOf(baseUrl, name), maxBytes: MAX_META_BYTES }, path)
  const meta = parseMeta(name, await readFile(path, 'utf8'))
  if (meta.packedBytes > MAX_PACKED_BYTES || meta.bytes > MAX_JSON_BYTES)
    throw new FeedError(`${name} announces ${meta.bytes} bytes, packed ${meta.packedBytes}: more than we take.`)
  return meta
}

/** The file, verified. It may have been replaced since its .meta was read: then the new .meta counts, once. */
export async function obtainFile(
  baseUrl: string,
  context: FetchContext,
  { key, meta }: { readonly key: FileKey; readonly meta: Meta },
): Promise<{ readonly path: string; readonly meta: Meta }> {
  const path = join(context.spool, fileName(key))
  const complaint = await attempt(baseUrl, context, { key, meta, path })
  if (complaint === undefined) return { path, meta }
  const renewed = await obtainMeta(baseUrl, context, key)
  const stillWrong =
    renewed.sha256 === meta.sha256 ? complaint : await attempt(baseUrl, context, { key, meta: renewed, path })
  if (stillWrong === undefined) return { path, meta: renewed }
  throw new FeedError(stillWrong)
}

async function attempt(
  baseUrl: string,
  { download }: FetchContext,
  { key, meta, path }: { readonly key: FileKey; readonly meta: Meta; readonly path: string },
): Promise<string | undefined> {
  const name = fileName(key)
  const got = await download.file({ url: addressOf(baseUrl, name), maxBytes: MAX_PACKED_BYTES }, path)
  if (!got.isUnchanged && got.bytes !== meta.packedBytes)
    return `${name} does not agree with its .meta: it has ${got.bytes} bytes, and should have ${meta.packedBytes}.`
  return difference({ path, name }, meta)
}

function addressOf(baseUrl: string, name: string): string {
  return `${baseUrl.replace(/\/$/, '')}/${name}`
}
