// Store of the feed nvd-history. It keeps all changes of a CVE in one row, which takes less space than one row per change
// (lab/docs/nvd-history.md) and is read with one lookup.
import { sql, type Transaction } from 'kysely'
import type { DeliveryStats } from '../../../guard.ts'
import type { MergeCounts, Store } from '../../../store.ts'
import type { ChangeRow } from './normalise.ts'

export const nvdHistoryStore: Store<ChangeRow> = {
  copyTarget: 'staged_nvd_change (cve_id, key, at, change)',
  toCopyValues: ({ cveId, change }) => [cveId, change[0], String(change[1]), JSON.stringify(change)],
  describeRow: ({ cveId }) => cveId,
  readTime: ({ at }) => at,
  createStaging,
  computeStats,
  merge,
}

async function createStaging(tx: Transaction<unknown>): Promise<void> {
  await sql`
    create temporary table staged_nvd_change (
      ordinal bigint generated always as identity,
      cve_id  text   not null collate "C",
      key     text   not null collate "C",
      at      bigint not null,
      change  text   not null
    ) on commit drop
  `.execute(tx)
}

/** Changes are never removed, and counting all stored ones would read the whole table. */
async function computeStats(tx: Transaction<unknown>): Promise<DeliveryStats> {
  const { numAffectedRows: duplicates = 0n } = await sql`
    delete from staged_nvd_change earlier
     using staged_nvd_change later
     where later.cve_id = earlier.cve_id
       and later.key = earlier.key
       and later.ordinal > earlier.ordinal
  `.execute(tx)
  const { rows } = await sql<{ staged: number }>`select count(*)::integer as staged from staged_nvd_change`.execute(tx)
  const staged = rows[0]?.staged ?? 0
  const none = { existing: 0, added: 0, changed: 0, missing: 0, futureDated: 0, scored: 0, scoredZero: 0 }
  return { ...none, staged, duplicates: Number(duplicates) }
}

/** A change that arrives late is put in its place by its time. */
async function merge(tx: Transaction<unknown>): Promise<MergeCounts> {
  await sql`analyze staged_nvd_change`.execute(tx)
  const { rows } = await sql<Omit<MergeCounts, 'removed'>>`
    with held as materialized (
      select history.cve_id, element.value::text as change, element.value ->> 0 as key, (element.value ->> 1)::bigint as at
        from (select distinct cve_id from staged_nvd_change) named
        join source.nvd_history history using (cve_id)
       cross join lateral json_array_elements(history.changes::json) element
    ), compared as materialized (
      select staged.cve_id, staged.key, staged.at, staged.change, held.change as held
        from staged_nvd_change staged
        left join held
          on held.cve_id = staged.cve_id
         and held.key = staged.key
    ), written as (
      insert into source.nvd_history as stored (cve_id, changes)
      select cve_id, '[' || string_agg(change, ',' order by at, key) || ']'
        from (
               select cve_id, key, at, change from compared
                union all
               select cve_id, key, at, change
                 from held
                where not exists (
                        select from compared where compared.cve_id = held.cve_id and compared.key = held.key
                      )
             ) change
       where cve_id in (select cve_id from compared where held is distinct from change)
       group by cve_id
       order by cve_id
      on conflict (cve_id) do update set changes = excluded.changes
    )
    select count(*) filter (where held is null)::integer as inserted,
           count(*) filter (where held <> change)::integer as updated
      from compared
  `.execute(tx)
  return { ...(rows[0] ?? { inserted: 0, updated: 0 }), removed: 0 }
}
