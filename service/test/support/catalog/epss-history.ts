// Fixture for EPSS scores of earlier days.
import { sql } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { decodeMonth, encodeMonth, toUnits } from '../../../src/domain/epss-series/codec.ts'
import { toDayOfMonth, toMonth } from '../../../src/domain/epss-series/days.ts'
import type { Fixture } from '../builders.ts'
import { requireCveKey } from './cve-builder.ts'

/** Scores and percentiles by day and CVE. */
export type ScoresByDay = Readonly<Record<string, Readonly<Record<string, readonly [number, number | null]>>>>

/** Adds days to the history of EPSS scores. `findModel` returns the model of a day. */
export function epssHistory(
  days: ScoresByDay,
  findModel: (day: string) => string | null = () => 'v2026.06.15',
): Fixture {
  return {
    store: async (db) => {
      for (const [day, scores] of Object.entries(days)) {
        await sql`select catalog.prepare_epss_month(${toMonth(day)})`.execute(db)
        await sql`
          insert into catalog.epss_day (day, model_version, score_count, feed)
          values (${day}, ${findModel(day)}, ${Object.keys(scores).length}, 'epss')
        `.execute(db)
        for (const [id, [score, percentile]] of Object.entries(scores))
          await addScore(db, { id, day, score, percentile })
      }
    },
  }
}

interface Score {
  readonly id: string
  readonly day: string
  readonly score: number
  readonly percentile: number | null
}

async function addScore(db: Database, { id, day, score, percentile }: Score): Promise<void> {
  const [key, month] = [requireCveKey(id), toMonth(day)]
  const { rows } = await sql<{ scores: Buffer; percentiles: Buffer }>`
    select scores, percentiles from catalog.epss_series where cve_key = ${key} and month = ${month}
  `.execute(db)
  const values = rows[0] ? [...decodeMonth(rows[0])] : []
  values[toDayOfMonth(day) - 1] = {
    score: toUnits(score),
    percentile: percentile === null ? null : toUnits(percentile),
  }
  const { scores, percentiles } = encodeMonth(Array.from(values, (value) => value ?? null))
  await sql`
    insert into catalog.epss_series (cve_key, month, scores, percentiles)
    values (${key}, ${month}, ${scores}, ${percentiles})
    on conflict (cve_key, month) do update set scores = excluded.scores, percentiles = excluded.percentiles
  `.execute(db)
}

/** Stores movers for one day, from 2026-08-20 to 2026-08-21: old and new scores by CVE. */
export function epssMovers(moves: Readonly<Record<string, readonly [number, number]>>): Fixture {
  return {
    store: async (db) => {
      await sql`
        insert into catalog.epss_mover_window (days, from_day, to_day, is_comparable)
        values (1, '2026-08-20', '2026-08-21', true)
      `.execute(db)
      for (const [id, [before, after]] of Object.entries(moves))
        await sql`
          insert into catalog.epss_mover (days, cve_key, old_score, new_score, old_day)
          values (1, ${requireCveKey(id)}, ${toUnits(before)}, ${toUnits(after)}, '2026-08-20')
        `.execute(db)
    },
  }
}
