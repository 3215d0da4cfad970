// Finds the EPSS thresholds of the priority policy for the scores of a day (domain/priority/epss-rule.ts).
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { EPSS_RULE, findThresholds, type Thresholds } from '../../domain/priority/epss-rule.ts'

/**
 * Returns the thresholds of the model. If the policy has none, returns the scores that its shares select; `scores` is a
 * query with one column `score`, of all scores of the day.
 */
export async function readThresholds(
  tx: Transaction<unknown>,
  model: string | null,
  scores: RawBuilder<unknown>,
): Promise<Thresholds> {
  const known = findThresholds(model)
  if (known) return known
  const { rows } = await sql<{ thresholds: number[] | null }>`
    select percentile_disc(${EPSS_RULE.shares}::float8[]) within group (order by score desc)::float8[] as thresholds
      from (${scores}) day
  `.execute(tx)
  return rows[0]?.thresholds ?? []
}
