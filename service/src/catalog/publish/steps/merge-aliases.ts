// Only rows that differ are written.
import { sql, type Transaction } from 'kysely'

export async function mergeAliases(tx: Transaction<unknown>): Promise<void> {
  // The lateral subquery with `offset 0` and the row addresses (ctid) force index lookups, as in mergeProducts.
  await sql`
    delete from catalog.alias
     where ctid = any (array(
             select published.place
               from staged_cve changed
              cross join lateral (
                      select ctid as place, alias
                        from catalog.alias
                       where cve_key = changed.cve_key
                      offset 0
                    ) published
              where (changed.cve_key, published.alias) not in (select cve_key, alias from staged_alias)
           ))
  `.execute(tx)
  await sql`
    insert into catalog.alias as published (alias, cve_key, source)
    select alias, cve_key, source
      from staged_alias
     order by alias, cve_key
    on conflict (alias, cve_key) do update
       set source = excluded.source
     where published.source <> excluded.source
  `.execute(tx)
}
