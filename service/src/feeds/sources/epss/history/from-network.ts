// One network run of the epss-history feed: downloads the files of single days, one after the other.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatDay } from '../../../../domain/instant.ts'
import { type Delivery, FeedError, type FetchContext, MissingFileError } from '../../../feed.ts'
import { type HistoryCursor, passDay, planDays, readCursor } from './cursor.ts'
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
    if (missingInARow > MAX_MISSING_IN_A_ROW) throw tooManyMissing(settings, cursor)
    if (!file) continue
    yield buildDelivery(file, cursor)
    await rm(file.path, { force: true })
  }
}

async function downloadDay(
  { baseUrl }: HistorySettings,
  context: FetchContext,
  day: string,
): Promise<PastFile | undefined> {
  const name = `epss_scores-${day}.csv.gz`
  const [url, path] = [new URL(name, baseUrl.replace(/\/?$/, '/')), join(context.spool, name)]
  try {
    const request = { url: url.href, maxBytes: MAX_DOWNLOAD_BYTES, redirectHosts: [url.host] }
    const result = await context.download.file(request, path)
    if (result.isUnchanged) throw new FeedError(`${name} was not sent.`)
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

class UnreadableFileError extends Error {}

function tooManyMissing({ baseUrl }: HistorySettings, { missing }: HistoryCursor): FeedError {
  return new FeedError(
    `${baseUrl} has no usable EPSS file of more than ${MAX_MISSING_IN_A_ROW} days in a row, the last of them ${missing.at(0)}. The days are asked for again; check FEED_EPSS_HISTORY_URL.`,
  )
}
