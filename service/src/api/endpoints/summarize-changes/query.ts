import { sql } from 'kysely'
import type { Since } from '../../../contract/changes.ts'
import type { Database } from '../../../database/postgres.ts'
import type { Position } from '../../../domain/change/position.ts'
import { POSITION, toPosition } from '../../../record/change-log/position-text.ts'
import { assertComplete, findAnchor, selectState } from '../../../record/change-log/since.ts'

/** Maximum number of rows that one call counts, which takes about 0.1 s. */
export const MAX_COUNTED = 100_000

interface Summary {
  readonly changes: number
  readonly cves: number
  readonly types: Readonly<Record<string, number>>
  readonly causes: Readonly<Record<string, number>>
  /** The position of the last counted row. */
  readonly until: Position
  readonly hasMore: boolean
}

/** Counts the rows after `since`, up to `until` or the newest row. */
export async function countChanges(db: Database, since: Since, until: Position | undefined): Promise<Summary> {
  const from = await findAnchor(db, since)
  const { rows } = await sql<Counted>`
    with counted as (
      select seq, tag, cve_key, types, cause
        from catalog.change
       where seq > ${from.seq}
         and kind <> 'advisory'
         and (${until?.seq ?? null}::bigint is null or seq <= ${until?.seq ?? null})
       order by seq
       limit ${MAX_COUNTED}
    )
    select ${selectState(from.seq)},
           (select ${POSITION} from catalog.change where seq = ${until?.seq ?? '0'}) as end,
           (select ${POSITION} from counted order by seq desc limit 1) as last,
           (select ${POSITION} from catalog.change where seq <= ${from.seq} order by seq desc limit 1) as start,
           (select count(*)::integer from counted) as changes,
           (select count(distinct cve_key)::integer from counted) as cves,
           (select coalesce(json_object_agg(type, number order by type), '{}')
              from (select type, count(*) as number from counted, unnest(types) as type group by type) by_type) as types,
           (select coalesce(json_object_agg(cause, number), '{}')
              from (select cause, count(*) as number from counted group by cause) by_cause) as causes
  `.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('the count of the change log returned no row')
  assertComplete(from, counted, 'all')
  if (until) assertComplete({ seq: until.seq, since: until }, { ...counted, anchor: counted.end }, 'all')
  const last = toPosition(counted.last ?? counted.start)
  const { changes, cves, types, causes } = counted
  return { changes, cves, types, causes, until: last, hasMore: changes === MAX_COUNTED }
}

type Counted = Parameters<typeof assertComplete>[1] & {
  readonly end: string | null
  readonly last: string | null
  /** Position before the first counted row. */
  readonly start: string | null
  readonly changes: number
  readonly cves: number
  readonly types: Readonly<Record<string, number>>
  readonly causes: Readonly<Record<string, number>>
}
