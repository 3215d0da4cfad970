// The `severity` filter of /cves, /cves/recent and the batch endpoint (decisions C6, C7).
import { type RawBuilder, sql } from 'kysely'
import { word } from '../../../contract/request/value-types.ts'
import { SEVERITY_BANDS } from '../../../domain/cvss/severity.ts'

export type Level = (typeof SEVERITY_BANDS)[number]['name']

const LEVELS = SEVERITY_BANDS.map(({ name }) => name)

const LABELS: Readonly<Record<Level, string>> = { critical: 'critical', high: 'high', medium: 'medium', low: 'low' }

export const levelType = () => word(LEVELS, { anyCase: true, labels: LABELS })

/**
 * Builds an SQL condition that is true if `cve.score` is in the score band of one of the severity levels, and false for
 * a CVE without a score.
 */
export function isInBands(levels: readonly Level[]): RawBuilder<boolean> {
  const bands = selectBands(levels).map(({ min, max }) => sql`cve.score between ${min} and ${max}`)
  return sql<boolean>`(cve.score is not null and (${sql.join(bands, sql` or `)}))`
}

/**
 * Builds an SQL condition that is true if `cve.score` is between the lowest and the highest score of the given severity
 * levels, which includes any levels in between. An index scan can follow only a single range.
 */
export function isAroundBands(levels: readonly Level[]): RawBuilder<boolean> {
  const bands = selectBands(levels)
  const [min, max] = [Math.min(...bands.map(({ min }) => min)), Math.max(...bands.map(({ max }) => max))]
  return sql<boolean>`cve.score between ${min} and ${max}`
}

export function selectBands(levels: readonly Level[]) {
  return SEVERITY_BANDS.filter(({ name }) => levels.includes(name))
}
