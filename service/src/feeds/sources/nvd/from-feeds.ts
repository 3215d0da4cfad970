// NVD's files from the network, each of them held against its .meta before anything in it is read.
import { rm } from 'node:fs/promises'
import { formatInstant, parseDateTime } from '../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext } from '../../feed.ts'
import { recordsOf } from './container.ts'
import { type NvdCursor, readCursor } from './cursor.ts'
import { fileName, obtainFile, obtainMeta } from './fetch-file.ts'
import type { Meta } from './meta.ts'
import { FIRST_YEAR, type FileKey, sliceOf, withinSlice } from './year.ts'

/** `modified` reaches back eight days: whoever missed it for longer has a hole. */
const MAX_DAYS_APART = 7
/** Deltas have had holes before, so everything is compared now and then. */
const COMPARE_EVERY_DAYS = 7
const DAY_MS = 24 * 3_600_000

interface Step {
  readonly key: FileKey
  readonly meta: Meta
}

/** One delivery per file that differs from the one we have. */
export async function* fromFeeds(baseUrl: string, context: FetchContext): AsyncGenerator<Delivery<unknown>> {
  let cursor = readCursor(context)
  const { steps, isCompare } = await plan(baseUrl, context, cursor)
  const total = steps.reduce((bytes, { meta }) => bytes + meta.packedBytes, 0)
  let before = 0
  for (const step of steps) {
    const { path, meta } = await obtainFile(baseUrl, context, step)
    const isLast = step === steps.at(-1)
    const isFirst = cursor.files[step.key] === undefined
    cursor = { ...moved(cursor, { key: step.key, meta }), ...(isCompare && { comparedAt: null }) }
    if (isCompare && isLast) cursor = { ...cursor, comparedAt: formatInstant(context.now) }
    yield {
      ...content(step.key, path, context.now),
      upstreamAt: meta.lastModified,
      isFirst,
      cursor,
      bytes: { before, own: step.meta.packedBytes, total },
    }
    await rm(path)
    before += step.meta.packedBytes
  }
}

/**
 * The news come first, then years that we never had, then whatever else changed: a year that is refused, again and
 * again, keeps no news out. Only a first load begins with the years.
 */
async function plan(baseUrl: string, context: FetchContext, cursor: NvdCursor) {
  const modified: Step = { key: 'modified', meta: await obtainMeta(baseUrl, context, 'modified') }
  const isCompare = isCompareDue(cursor, modified.meta, context.now)
  const isMissing = (key: FileKey) => cursor.files[key] === undefined
  const years: Step[] = []
  for (const key of yearsUntil(context.now)) {
    const meta = isCompare || isMissing(key) ? await metaOfYear(baseUrl, context, key) : undefined
    if (meta) years.push({ key, meta })
  }
  const [missing, known] = [years.filter(({ key }) => isMissing(key)), years.filter(({ key }) => !isMissing(key))]
  const ordered = isMissing('modified') ? [...missing, modified, ...known] : [modified, ...missing, ...known]
  const steps = ordered.filter(({ key, meta }) => cursor.files[key]?.sha256 !== meta.sha256)
  return { steps, isCompare }
}

/** In January, the new year's file may be late; what is new reaches us through `modified` meanwhile. */
async function metaOfYear(baseUrl: string, context: FetchContext, key: FileKey): Promise<Meta | undefined> {
  const mayBeLate = context.now.getUTCMonth() === 0 && key === String(context.now.getUTCFullYear())
  try {
    return await obtainMeta(baseUrl, context, key)
  } catch (error) {
    if (!mayBeLate || !(error instanceof FeedError)) throw error
    context.notice(`NVD seems to have no file for ${key} yet: ${error.message}`)
    return undefined
  }
}

function isCompareDue({ files, comparedAt }: NvdCursor, modified: Meta, now: Date): boolean {
  const lastCompare = parseDateTime(comparedAt ?? '')
  const lastModified = parseDateTime(files['modified']?.at ?? '')
  if (lastCompare === undefined || lastModified === undefined) return true
  return (
    now.getTime() - lastCompare.getTime() > COMPARE_EVERY_DAYS * DAY_MS ||
    modified.lastModified.getTime() - lastModified.getTime() > MAX_DAYS_APART * DAY_MS
  )
}

function yearsUntil(now: Date): FileKey[] {
  const count = now.getUTCFullYear() - FIRST_YEAR + 1
  return Array.from({ length: count }, (_, index) => String(FIRST_YEAR + index))
}

function moved(cursor: NvdCursor, { key, meta }: Step): NvdCursor {
  const state = { sha256: meta.sha256, at: formatInstant(meta.lastModified) }
  return { ...cursor, files: { ...cursor.files, [key]: state } }
}

function content(
  key: FileKey,
  path: string,
  now: Date,
): Pick<Delivery<unknown>, 'label' | 'kind' | 'slice' | 'records'> {
  const file = { path, name: fileName(key) }
  const slice = sliceOf(key)
  if (!slice) return { label: file.name, kind: 'delta', records: (onBytes) => recordsOf(file, onBytes) }
  // New ids reach us through `modified` up to a day before this year's own file has them: it never says all there is.
  const kind = Number(key) < now.getUTCFullYear() ? 'snapshot' : 'delta'
  return { label: file.name, kind, slice, records: (onBytes) => withinSlice(recordsOf(file, onBytes), slice) }
}
