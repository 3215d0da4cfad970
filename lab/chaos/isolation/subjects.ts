// What the attacks and the victim ask about: ids, products and versions of the catalog that a node serves.
import { Client } from 'pg'
import type { VictimIds } from './calls.ts'

const LARGEST_RECORDS = 50
const LARGEST_PRODUCTS = 10
const VERSIONS_PER_PRODUCT = 100
const NAMES = 5000

interface Product {
  readonly vendor: string
  readonly product: string
  readonly versions: readonly string[]
}

export interface Subjects extends VictimIds {
  /** Ids of the records with the most text. */
  readonly largest: readonly string[]
  /** Products with the most known ranges of versions, largest first. */
  readonly products: readonly Product[]
  /** Names of packages that the catalog knows, such as npm/lark. */
  readonly packages: readonly string[]
  /** The newest position of the change log. */
  readonly newest: string
  /** The newest snapshot; undefined if the catalog has none. */
  readonly snapshot: { readonly id: string; readonly parts: number } | undefined
}

/** Reads the subjects of a catalog. The newest position is known only to a running node. */
export async function readSubjects(url: string): Promise<Omit<Subjects, 'newest'>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const readColumn = async (sql: string, values: readonly unknown[] = []) =>
    (await client.query<{ value: string }>(sql, [...values])).rows.map(({ value }) => value)
  try {
    const random = await readColumn(
      'select catalog.cve_id(cve_key) as value from catalog.cve order by sha256(cve_key::text::bytea) limit 20000',
    )
    const largest = await readColumn(
      `select catalog.cve_id(cve_key) as value
         from catalog.cve_document
        order by length(cpe) + length("references") + length(enrichment) + length(cvss) + length(description) desc
        limit ${LARGEST_RECORDS}`,
    )
    const packages = await readColumn(
      `select vendor || '/' || product as value
         from catalog.affected_name where kind = 'purl' order by name_key limit ${NAMES}`,
    )
    const { rows: snapshots } = await client.query<{ id: string; parts: number }>(
      `select snapshot.id, count(*)::int as parts
         from catalog.snapshot join catalog.snapshot_part as part on part.snapshot_id = snapshot.id
        group by snapshot.id, snapshot.created_at order by snapshot.created_at desc limit 1`,
    )
    const products = await readLargestProducts(client)
    return { warm: random.slice(0, 200), cold: random.slice(200), largest, products, packages, snapshot: snapshots[0] }
  } finally {
    await client.end()
  }
}

async function readLargestProducts(client: Client): Promise<readonly Product[]> {
  const { rows } = await client.query<Product>(
    `with largest as (
       select name_key, count(*) as ranges from catalog.affected group by name_key order by 2 desc limit 100
     ), named as (
       select vendor, product, array_agg(name_key) as name_keys, sum(ranges) as ranges
         from largest join catalog.affected_name using (name_key)
        where kind = 'cpe' and vendor <> ''
        group by vendor, product order by 4 desc limit ${LARGEST_PRODUCTS}
     )
     select vendor, product,
            (select coalesce(array_agg(version), '{}')
               from (select distinct version
                       from catalog.affected, unnest(versions || array[low, high]) as version
                      where name_key = any (name_keys) and version ~ '^[0-9][0-9.]*$'
                      limit ${VERSIONS_PER_PRODUCT}) as known) as versions
       from named order by ranges desc`,
  )
  return rows
}
