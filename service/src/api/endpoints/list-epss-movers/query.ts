import { sql } from 'kysely'
import type { CursorPosition } from '../../../contract/cursor.ts'
import type { Database } from '../../../database/postgres.ts'

export interface MoverFilters {
  readonly days: number
  readonly direction: 'up' | 'down'
  /** In units of 0.00001. */
  readonly minDelta: number
  readonly minRatio: number
}

export interface MoverRow {
  readonly cve_key: string
  readonly old_day: string
  readonly old_score: number
  readonly new_score: number
  readonly in_kev: boolean
  readonly priority: number | null
}

export interface MoverPage {
  /** Undefined before the first EPSS release. */
  readonly window:
    | { readonly from_day: string | null; readonly to_day: string; readonly is_comparable: boolean }
    | undefined
  readonly movers: readonly MoverRow[]
  readonly hasMore: boolean
  readonly totalEstimate: number
}

interface Row {
  readonly from_day: string | null
  readonly to_day: string
  readonly is_comparable: boolean
  readonly movers: readonly MoverRow[]
  readonly total: number
}

/**
 * Reads the window and one page of its movers in a single statement, so that both belong to the same release. A window
 * has at most 5,000 movers per direction, few enough to filter and sort all of them. The scaled ratio avoids a division
 * by 0.
 */
export async function readMovers(
  db: Database,
  { days, direction, minDelta, minRatio }: MoverFilters,
  limit: number,
  after: CursorPosition | undefined,
): Promise<MoverPage> {
  const { rows } = await sql<Row>`
    with listed as (
      select mover.*, abs(new_score - old_score) as distance, cve.in_kev, cve.priority
        from catalog.epss_mover mover
        join catalog.cve on cve.cve_key = mover.cve_key
       where days = ${days}
         and ${direction === 'up' ? sql`new_score > old_score` : sql`new_score < old_score`}
         and abs(new_score - old_score) >= ${minDelta}
         and greatest(new_score, old_score) >= ${minRatio}::float8 * least(new_score, old_score)
    )
    select to_char(from_day, 'YYYY-MM-DD') as from_day,
           to_char(to_day, 'YYYY-MM-DD') as to_day,
           is_comparable,
           array(
             select json_build_object('cve_key', cve_key::text, 'old_day', old_day, 'old_score', old_score,
                                      'new_score', new_score, 'in_kev', in_kev, 'priority', priority)
               from listed
              where ${after ? sql`(distance, cve_key) < (${after.value}::integer, ${after.key}::bigint)` : sql`true`}
              order by distance desc, cve_key desc
              limit ${limit + 1}
           ) as movers,
           (select count(*)::integer from listed) as total
      from catalog.epss_mover_window
     where days = ${days}
  `.execute(db)
  const [row] = rows
  const movers = row?.movers ?? []
  return {
    window: row,
    movers: movers.slice(0, limit),
    hasMore: movers.length > limit,
    totalEstimate: after?.totalEstimate ?? row?.total ?? 0,
  }
}
