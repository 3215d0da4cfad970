// Finds the EPSS thresholds of the priority policy for the scores of a day (domain/priority/epss-rule.ts).
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { EPSS_RULE, findThresholds, REFERENCE_THRESHOLDS, type Thresholds } from '../../domain/priority/epss-rule.ts'

/** In a part of a release, such as the demo's, well-known CVEs would move the shares. */
const MIN_SCORES = 10_000

/**
 * Returns the thresholds of the model. If the policy has none, returns the scores that its shares select, or those of the
 * reference model if there are few scores. `scores` is a query with one column `score`, of all scores of the day.
 */
export async function readThresholds(
  tx: Transaction<unknown>,
  model: string | null,
  scores: RawBuilder<unknown>,
): Promise<Thresholds> {
  const known = findThresholds(model)
  if (known) return known
  const { rows } = await sql<{ count: number; thresholds: number[] | null }>`
    select count(*)::integer as count,
           percentile_disc(${EPSS_RULE.shares}::float8[]) within group (order by score desc)::float8[] as thresholds
      from (${scores}) day
  `.execute(tx)
  const [day] = rows
  return day?.thresholds && day.count >= MIN_SCORES ? day.thresholds : REFERENCE_THRESHOLDS
}
