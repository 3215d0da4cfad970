// One network run of the epss-history feed: downloads the files of single days, one after the other.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatDay } from '../../../../domain/instant.ts'
import type { CollectContext, Collection } from '../../../collect.ts'
import type { DownloadContext } from '../../../download.ts'
import { type Delivery, FeedError, type FetchContext, MissingFileError } from '../../../feed.ts'
import { listPublishedDays, passDay, planDays, readCursor } from './cursor.ts'
import { buildDelivery, openPastFile, type PastFile, type RawPastScore } from './delivery.ts'

const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024
/** EPSS never had such a long gap, so the address is probably wrong. */
const MAX_MISSING_IN_A_ROW = 10

export interface HistorySettings {
  readonly baseUrl: string
  readonly daysPerRun: number
  readonly pauseMs: number
}

export async function* fetchFromNetwork(
  settings: HistorySettings,
  context: FetchContext,
): AsyncGenerator<Delivery<RawPastScore>, void, undefined> {
  let cursor = readCursor(context.cursor)
  let missingInARow = 0
  for (const [index, day] of planDays(cursor, formatDay(context.now), settings.daysPerRun).entries()) {
    if (index > 0) await sleep(settings.pauseMs, undefined, { signal: context.signal })
    const file = await downloadDay(settings, context, day)
    cursor = passDay(cursor, day, file === undefined)
    missingInARow = file ? 0 : missingInARow + 1
    if (missingInARow > MAX_MISSING_IN_A_ROW) throw tooManyMissing(settings, cursor.missing.at(0))
    if (!file) continue
    yield buildDelivery(file, cursor)
    await rm(file.path, { force: true })
  }
}

async function downloadDay(
  { baseUrl }: HistorySettings,
  context: DownloadContext,
  day: string,
): Promise<PastFile | undefined> {
  const [url, path] = [buildUrl(baseUrl, day), join(context.spool, toFileName(day))]
  try {
    const request = { url: url.href, maxBytes: MAX_DOWNLOAD_BYTES, redirectHosts: [url.host] }
    const result = await context.download.file(request, path)
    if (result.isUnchanged) throw new FeedError(`${toFileName(day)} was not sent.`)
    return await openPastFile({ path, bytes: result.bytes }, day).catch((error: unknown) => {
      throw error instanceof FeedError ? new UnreadableFileError(error.message) : error
    })
  } catch (error) {
    if (error instanceof MissingFileError) context.notice(`FIRST has no EPSS file of ${day}.`)
    else if (error instanceof UnreadableFileError)
      context.notice(`The EPSS file of ${day} cannot be read: ${error.message}`)
    else throw error
    return undefined
  }
}

function toFileName(day: string): string {
  return `epss_scores-${day}.csv.gz`
}

function buildUrl(baseUrl: string, day: string): URL {
  return new URL(toFileName(day), baseUrl.replace(/\/?$/, '/'))
}

/** Puts files of single days into a bundle, newest first. A day that was collected before is kept: it never changes. */
export async function collectDays(settings: HistorySettings, context: CollectContext): Promise<Collection> {
  let [requested, missingInARow, postponed] = [0, 0, 0]
  for (const day of listPublishedDays(formatDay(context.now))) {
    if (await context.keep(toFileName(day), day)) continue
    if (requested === settings.daysPerRun) {
      postponed += 1
      continue
    }
    if (requested > 0) await sleep(settings.pauseMs, undefined, { signal: context.signal })
    requested += 1
    const file = await downloadDay(settings, context, day)
    missingInARow = file ? 0 : missingInARow + 1
    if (missingInARow > MAX_MISSING_IN_A_ROW) throw tooManyMissing(settings, day)
    if (file)
      await context.add({
        name: toFileName(day),
        url: buildUrl(settings.baseUrl, day).href,
        version: day,
        path: file.path,
      })
  }
  if (postponed > 0)
    context.notice(`${postponed} earlier days are left for the next downloads (FEED_EPSS_HISTORY_DAYS_PER_RUN).`)
  return { index: null }
}

class UnreadableFileError extends Error {}

function tooManyMissing({ baseUrl }: HistorySettings, last: string | undefined): FeedError {
  return new FeedError(
    `${baseUrl} has no usable EPSS file of more than ${MAX_MISSING_IN_A_ROW} days in a row, the last of them ${last}. The days are asked for again; check FEED_EPSS_HISTORY_URL.`,
  )
}
