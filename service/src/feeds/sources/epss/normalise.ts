import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import type { Rejected } from '../../feed.ts'
import type { EpssLine } from './parse.ts'

export interface RawEpssScore {
  readonly line: EpssLine
  readonly release: EpssRelease
}

export interface EpssRelease {
  readonly modelVersion: string
  /** Formatted as text once instead of some 360,000 times, because every row has it. */
  readonly scoredAt: string
}

export interface EpssRow extends EpssRelease {
  readonly cveId: CveId
  readonly score: number
  readonly percentile: number
}

/** FIRST writes plain decimals; some copies were rewritten by tools that write 9e-05. */
const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i

export function normaliseEpss({ line, release }: RawEpssScore): EpssRow | Rejected {
  const cveId = parseCanonicalCveId(line.cve)
  if (!cveId) return { rejected: line.cve, reason: 'not a CVE id' }
  const score = parseProbability(line.epss)
  if (score === undefined) return { rejected: cveId, reason: `score is not a number from 0 to 1: "${line.epss}"` }
  const percentile = parseProbability(line.percentile)
  if (percentile === undefined)
    return { rejected: cveId, reason: `percentile is not a number from 0 to 1: "${line.percentile}"` }
  return { cveId, score, percentile, ...release }
}

export function parseProbability(text: string): number | undefined {
  const probability = DECIMAL.test(text) ? Number(text) : Number.NaN
  return probability >= 0 && probability <= 1 ? probability : undefined
}
