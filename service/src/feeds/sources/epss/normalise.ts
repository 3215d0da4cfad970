import { type CveId, parseCanonicalCveId } from '../../../domain/cve-id.ts'
import type { Rejected } from '../../feed.ts'
import type { EpssLine } from './parse.ts'

export interface RawEpssScore {
  readonly line: EpssLine
  readonly release: EpssRelease
}

export interface EpssRelease {
  readonly modelVersion: string
  /** As text, since it is written with each of very many rows. */
  readonly scoredAt: string
}

export interface EpssRow extends EpssRelease {
  readonly cveId: CveId
  readonly score: number
  readonly percentile: number
}

/** FIRST writes plain decimals; some of its copies went through tools that write the smallest ones as 9e-05. */
const DECIMAL = /^\d*\.?\d+(?:e[+-]?\d{1,3})?$/i

export function normaliseEpss({ line, release }: RawEpssScore): EpssRow | Rejected {
  const cveId = parseCanonicalCveId(line.cve)
  if (!cveId) return { rejected: line.cve, reason: 'not a CVE id' }
  const score = parseShare(line.epss)
  if (score === undefined) return { rejected: cveId, reason: `its score is no number from 0 to 1: "${line.epss}"` }
  const percentile = parseShare(line.percentile)
  if (percentile === undefined)
    return { rejected: cveId, reason: `its percentile is no number from 0 to 1: "${line.percentile}"` }
  return { cveId, score, percentile, ...release }
}

function parseShare(text: string): number | undefined {
  const share = DECIMAL.test(text) ? Number(text) : Number.NaN
  return share >= 0 && share <= 1 ? share : undefined
}
