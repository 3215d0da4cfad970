// A product with many known version ranges, each from its own advisory.
import { runStatements } from '../../support/run-statements.ts'

/** Stores `count` ranges of the product: range n ends before version 1.n, so that 1.0 is in all of them. */
export async function storeLargeProduct(url: string, product: string, count: number): Promise<void> {
  await runStatements(
    url,
    `insert into catalog.affected_name (kind, vendor, product) values ('cpe', 'examplesoft', '${product}')`,
    `insert into catalog.advisory (id, source, aliases, decision_facts, modified, is_withdrawn, content_hash)
     select '${product}-' || n, 'test', '{}', '{}', now(), false, ''::bytea from generate_series(1, ${count}) as n`,
    `insert into catalog.affected (subject_key, name_key, nr, is_affected, is_vague, high_in, scheme, source, target, high, fixed)
     select -advisory_key, name_key, 1, true, false, false, 'generic', 'nvd', '',
            '1.' || split_part(advisory.id, '-', 2), '1.' || split_part(advisory.id, '-', 2)
       from catalog.advisory join catalog.affected_name on product = '${product}'
      where advisory.id like '${product}-%'`,
    'analyze catalog.affected, catalog.affected_name',
  )
}
