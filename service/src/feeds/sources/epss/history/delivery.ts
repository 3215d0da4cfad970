import { type CveId, parseCanonicalCveId } from '../../../../domain/cve-id.ts'
import { toUnits } from '../../../../domain/epss-series/codec.ts'
import { formatDay } from '../../../../domain/instant.ts'
import { type Delivery, FeedError, mapReadings, type Rejected } from '../../../feed.ts'
import { parseProbability } from '../normalise.ts'
import { type EpssLine, type PastHeader, readPastHeader, readScores } from '../parse.ts'
import type { HistoryCursor } from './cursor.ts'

export interface PastFile {
  readonly path: string
  readonly bytes: number
  /** Day of the scores, from the file or else from its name. */
  readonly day: string
  readonly header: PastHeader
}

export interface RawPastScore {
  readonly line: EpssLine
  readonly day: string
  readonly model: string | null
  readonly hasPercentiles: boolean
}

export interface PastScore {
  readonly cveId: CveId
  readonly day: string
  readonly model: string | null
  /** In units of 0.00001, like percentile. */
  readonly score: number
  readonly percentile: number | null
}

/** Reads the whole file, so that a truncated one is detected before anything is stored. */
export async function openPastFile(file: Pick<PastFile, 'path' | 'bytes'>, dayInName: string): Promise<PastFile> {
  const header = await readPastHeader(file.path)
  for await (const _ of readScores(file.path, header.columnCount, undefined, header.lineCount));
  const day = header.release ? formatDay(header.release.scoredAt) : dayInName
  // A late release may be dated a day before or after the day in its name.
  if (Math.abs(Date.parse(day) - Date.parse(dayInName)) > 86_400_000)
    throw new FeedError(`The file of ${dayInName} contains the scores of ${day}.`)
  return { ...file, day, header }
}

export function buildDelivery({ path, bytes, day, header }: PastFile, cursor: HistoryCursor): Delivery<RawPastScore> {
  const common = { day, model: header.release?.modelVersion ?? null, hasPercentiles: header.hasPercentiles }
  return {
    label: `EPSS scores of ${day}`,
    kind: 'delta',
    upstreamAt: undefined,
    cursor,
    bytes: { before: 0, own: bytes, total: bytes },
    records: (onBytes) =>
      mapReadings(readScores(path, header.columnCount, onBytes, header.lineCount), (line) => ({ ...common, line })),
  }
}

export function normalisePastScore({ line, day, model, hasPercentiles }: RawPastScore): PastScore | Rejected {
  const cveId = parseCanonicalCveId(line.cve)
  if (!cveId) return { rejected: line.cve, reason: 'not a CVE id' }
  const score = parseProbability(line.epss)
  if (score === undefined) return { rejected: cveId, reason: `score is not a number from 0 to 1: "${line.epss}"` }
  // Some days' files have the percentile column but no values in it.
  const percentile = hasPercentiles && line.percentile !== '' ? parseProbability(line.percentile) : null
  if (percentile === undefined)
    return { rejected: cveId, reason: `percentile is not a number from 0 to 1: "${line.percentile}"` }
  return { cveId, day, model, score: toUnits(score), percentile: percentile === null ? null : toUnits(percentile) }
}
