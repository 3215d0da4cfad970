// Imports NVD's files from the network. Each file is verified against its .meta file before it is read.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import type { CollectContext, Collection } from '../../collect.ts'
import type { DownloadContext } from '../../download.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { MAX_JSON_BYTES, readAnnouncedCount, readRecords } from './container.ts'
import { type NvdCursor, readCursor } from './cursor.ts'
import { assertMatchesMeta, compareWithMeta, type Meta, parseMeta } from './meta.ts'
import { FIRST_YEAR, type FileKey, rejectOutsideSlice, toSlice } from './year.ts'

/** The file `modified` covers eight days, so changes are lost if its last import is older than seven. */
const MAX_MODIFIED_GAP_DAYS = 7
/** The year files are compared weekly, because the file `modified` has missed changes before. */
const COMPARE_EVERY_DAYS = 7
const DAY_MS = 24 * 3_600_000
const MAX_META_BYTES = 4096
/** Maximum size of one of NVD's gzip files. The largest file of 2026 is 25 MB. */
const MAX_PACKED_BYTES = 512 * 1024 ** 2

interface Step {
  readonly key: FileKey
  readonly meta: Meta
}

export async function* fetchFromFeeds(baseUrl: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  let cursor = readCursor(context)
  const { steps, isCompare } = await plan(baseUrl, context, cursor)
  const total = steps.reduce((bytes, { meta }) => bytes + meta.packedBytes, 0)
  let before = 0
  for (const step of steps) {
    const { path, meta } = await fetchFile(baseUrl, context, step)
    const isLast = step === steps.at(-1)
    const isFirst = cursor.files[step.key] === undefined
    const count = await readAnnouncedCount({ path, name: toFileName(step.key) })
    cursor = { ...recordFile(cursor, { key: step.key, meta }, count), ...(isCompare && { comparedAt: null }) }
    const indexCount = isLast ? sumYears(cursor, context.now) : undefined
    if (isCompare && isLast) cursor = { ...cursor, comparedAt: formatInstant(context.now) }
    yield {
      ...describeContent(step.key, path, context.now),
      upstreamAt: meta.lastModified,
      isFirst,
      ...(indexCount !== undefined && { indexCount }),
      cursor,
      bytes: { before, own: step.meta.packedBytes, total },
    }
    await rm(path)
    before += step.meta.packedBytes
  }
}

/** Puts the year files and `modified` with their .meta files into a bundle. */
export async function collectFeedFiles(baseUrl: string, context: CollectContext): Promise<Collection> {
  let index: number | undefined = 0
  for (const key of [...listYears(context.now), 'modified']) {
    const meta =
      key === 'modified' ? await fetchMeta(baseUrl, context, key) : await fetchYearMeta(baseUrl, context, key)
    if (!meta) continue
    const count = await collectWithMeta(baseUrl, context, { key, meta })
    if (key !== 'modified') index = index === undefined || count === undefined ? undefined : index + count
  }
  return { index: index || null }
}

async function collectWithMeta(
  baseUrl: string,
  context: CollectContext,
  { key, meta }: Step,
): Promise<number | undefined> {
  const name = toFileName(key)
  const path = await context.file({
    name,
    url: buildUrl(baseUrl, name),
    maxBytes: MAX_PACKED_BYTES,
    version: meta.sha256,
    check: async (incoming) => assertMatchesMeta({ path: incoming, name }, meta),
  })
  const [metaName, version] = [toMetaName(key), `${meta.sha256} ${formatInstant(meta.lastModified)}`]
  if (!(await context.keep(metaName, version)))
    await context.add({
      name: metaName,
      url: buildUrl(baseUrl, metaName),
      version,
      path: join(context.spool, metaName),
    })
  return readAnnouncedCount({ path, name })
}

/** `modified` comes first, except in the first load, so that a refused year file does not block recent changes. */
async function plan(baseUrl: string, context: FetchContext, cursor: NvdCursor) {
  const modified: Step = { key: 'modified', meta: await fetchMeta(baseUrl, context, 'modified') }
  const isCompare = isCompareDue(cursor, modified.meta, context.now)
  const isMissing = (key: FileKey) => cursor.files[key] === undefined
  const years: Step[] = []
  for (const key of listYears(context.now)) {
    const meta = isCompare || isMissing(key) ? await fetchYearMeta(baseUrl, context, key) : undefined
    if (meta) years.push({ key, meta })
  }
  const [missing, known] = [years.filter(({ key }) => isMissing(key)), years.filter(({ key }) => !isMissing(key))]
  const ordered = isMissing('modified') ? [...missing, modified, ...known] : [modified, ...missing, ...known]
  const steps = ordered.filter(({ key, meta }) => cursor.files[key]?.sha256 !== meta.sha256)
  return { steps, isCompare }
}

/** In January the new year's file may not exist yet; its records arrive through the file `modified`. */
async function fetchYearMeta(baseUrl: string, context: DownloadContext, key: FileKey): Promise<Meta | undefined> {
  try {
    return await fetchMeta(baseUrl, context, key)
  } catch (error) {
    if (!mayBeLate(key, context.now) || !(error instanceof FeedError)) throw error
    context.notice(`NVD has no file for ${key} yet: ${error.message}`)
    return undefined
  }
}

const mayBeLate = (key: FileKey, now: Date) => now.getUTCMonth() === 0 && key === String(now.getUTCFullYear())

function isCompareDue({ files, comparedAt }: NvdCursor, modified: Meta, now: Date): boolean {
  const lastCompare = parseDateTime(comparedAt ?? '')
  const lastModified = parseDateTime(files['modified']?.at ?? '')
  if (lastCompare === undefined || lastModified === undefined) return true
  return (
    now.getTime() - lastCompare.getTime() > COMPARE_EVERY_DAYS * DAY_MS ||
    modified.lastModified.getTime() - lastModified.getTime() > MAX_MODIFIED_GAP_DAYS * DAY_MS
  )
}

function listYears(now: Date): FileKey[] {
  const count = now.getUTCFullYear() - FIRST_YEAR + 1
  return Array.from({ length: count }, (_, index) => String(FIRST_YEAR + index))
}

/** Returns the number of records in NVD's year files; undefined unless all of them have been imported. */
function sumYears({ files }: NvdCursor, now: Date): number | undefined {
  const years = listYears(now).filter((key) => files[key] !== undefined || !mayBeLate(key, now))
  const counts = years.flatMap((key) => files[key]?.count ?? [])
  return counts.length < years.length ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

function recordFile(cursor: NvdCursor, { key, meta }: Step, count: number | undefined): NvdCursor {
  const state = { sha256: meta.sha256, at: formatInstant(meta.lastModified), ...(count !== undefined && { count }) }
  return { ...cursor, files: { ...cursor.files, [key]: state } }
}

function describeContent(
  key: FileKey,
  path: string,
  now: Date,
): Pick<Delivery<unknown>, 'label' | 'kind' | 'slice' | 'records'> {
  const file = { path, name: toFileName(key) }
  const slice = toSlice(key)
  if (!slice) return { label: file.name, kind: 'delta', records: (onBytes) => readRecords(file, onBytes) }
  // New ids appear in `modified` up to a day earlier, so the file of the current year is never complete.
  const kind = Number(key) < now.getUTCFullYear() ? 'snapshot' : 'delta'
  return { label: file.name, kind, slice, records: (onBytes) => rejectOutsideSlice(readRecords(file, onBytes), slice) }
}

function toMetaName(key: FileKey): string {
  return `nvdcve-2.0-${key}.meta`
}

function toFileName(key: FileKey): string {
  return `nvdcve-2.0-${key}.json.gz`
}

async function fetchMeta(baseUrl: string, { download, spool }: DownloadContext, key: FileKey): Promise<Meta> {
  const name = toMetaName(key)
  const path = join(spool, name)
  await download.file({ url: buildUrl(baseUrl, name), maxBytes: MAX_META_BYTES }, path)
  const meta = parseMeta(name, await readFile(path, 'utf8'))
  if (meta.packedBytes > MAX_PACKED_BYTES || meta.bytes > MAX_JSON_BYTES)
    throw new FeedError(
      `${name} announces ${meta.bytes} bytes (${meta.packedBytes} packed), more than the allowed ${MAX_JSON_BYTES} (${MAX_PACKED_BYTES} packed).`,
    )
  return meta
}

/** If NVD replaced the file after its .meta was read, fetches the new .meta and tries once more. */
async function fetchFile(
  baseUrl: string,
  context: FetchContext,
  { key, meta }: { readonly key: FileKey; readonly meta: Meta },
): Promise<{ readonly path: string; readonly meta: Meta }> {
  const path = join(context.spool, toFileName(key))
  const mismatch = await downloadFile(baseUrl, context, { key, meta, path })
  if (mismatch === undefined) return { path, meta }
  const renewed = await fetchMeta(baseUrl, context, key)
  const secondMismatch =
    renewed.sha256 === meta.sha256 ? mismatch : await downloadFile(baseUrl, context, { key, meta: renewed, path })
  if (secondMismatch === undefined) return { path, meta: renewed }
  throw new FeedError(secondMismatch)
}

async function downloadFile(
  baseUrl: string,
  { download }: FetchContext,
  { key, meta, path }: { readonly key: FileKey; readonly meta: Meta; readonly path: string },
): Promise<string | undefined> {
  const name = toFileName(key)
  const downloaded = await download.file({ url: buildUrl(baseUrl, name), maxBytes: MAX_PACKED_BYTES }, path)
  if (!downloaded.isUnchanged && downloaded.bytes !== meta.packedBytes)
    return `${name} does not match its .meta: it has ${downloaded.bytes} bytes instead of ${meta.packedBytes}.`
  return compareWithMeta({ path, name }, meta)
}

function buildUrl(baseUrl: string, name: string): string {
  return `${baseUrl.replace(/\/$/, '')}/${name}`
}
