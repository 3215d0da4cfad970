// Merges the aliases of the staged CVEs into catalog.alias. Only rows that differ are written.
import { sql, type Transaction } from 'kysely'

export async function mergeAliases(tx: Transaction<unknown>): Promise<void> {
  await sql`
    delete from catalog.alias published
     using staged_cve changed
     where published.cve_key = changed.cve_key
       and not exists (
             select from staged_alias staged
              where staged.cve_key = published.cve_key and staged.alias = published.alias
           )
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
