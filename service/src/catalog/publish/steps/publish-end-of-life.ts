// Publishes until when the makers of products support their releases.
import { sql, type Transaction } from 'kysely'

/** Compares the hashes of about 460 products, which takes a few milliseconds. */
export async function publishEndOfLife(tx: Transaction<unknown>): Promise<void> {
  await sql`
    delete from catalog.end_of_life published
     where not exists (
             select
               from source.end_of_life stored
              where stored.product = published.product
           )
  `.execute(tx)
  await sql`
    insert into catalog.end_of_life (product, label, names, cycles, content_hash)
    select product, label, names, cycles, content_hash
      from source.end_of_life stored
     where not exists (
             select
               from catalog.end_of_life published
              where published.product = stored.product
                and published.content_hash = stored.content_hash
           )
    on conflict (product) do update
       set label = excluded.label, names = excluded.names, cycles = excluded.cycles,
           content_hash = excluded.content_hash
  `.execute(tx)
}
