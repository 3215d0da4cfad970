// The columns of catalog.cve: those of render/search-values.ts, and the few that are computed differently. The columns
// of the temporary table, the values that COPY writes, and the column lists of the upsert are derived from them.
import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../../contract/record/cve-fields.ts'
import type { CopyValue } from '../../../database/copy-line.ts'
import type { NamedProduct } from '../../render/products.ts'
import type { Published } from '../../render/published.ts'
import { COLUMNS_WITH_VALUES } from '../../render/search-values.ts'
import { toStoredCveKey } from '../cve-key.ts'
import { VENDOR_SPELLINGS } from '../vendor-spellings.ts'

interface SearchColumn {
  readonly name: string
  /** Columns of the temporary table staged_cve from which the column is computed. */
  readonly staged: readonly StagedColumn[]
  /** SQL expression that computes the column of catalog.cve. Without it, the column is copied. */
  readonly expression?: RawBuilder<unknown>
  /**
   * SQL expression that computes the column for a verification, if `expression` may copy the published value. It reads
   * staged_cve under the alias `staged`.
   */
  readonly recomputed?: RawBuilder<unknown>
}

interface StagedColumn {
  readonly name: string
  /** Returns the value that COPY writes into the column. */
  readonly value: (published: Published) => CopyValue
}

const KEY = 'cve_key'

/**
 * The words of the id and the description (weights C and D) are reused from the published words if the description did
 * not change, because computing the words of one description takes about 150 µs. A migration that changes
 * catalog.text_words must therefore update catalog.cve.words itself.
 */
const WORDS = sql`coalesce(
             (
               select ts_filter(published.words, '{c,d}')
                 from catalog.cve published
                 join catalog.cve_document document
                   on document.cve_key = published.cve_key
                where published.cve_key = staged_cve.cve_key
                  and document.description::json #>> '{}' = staged_cve.text
             ),
             catalog.text_words(catalog.cve_id(cve_key), text)
           ) || catalog.name_words(names, 'A') || catalog.name_words(product_names, 'B')`

/** A column of catalog.cve that is copied from the column with the same name. */
function copied(name: string, value: StagedColumn['value']): SearchColumn {
  return { name, staged: [{ name, value }] }
}

const SEARCH_COLUMNS: readonly SearchColumn[] = [
  copied(KEY, ({ cveId }) => toStoredCveKey(cveId)),
  ...COLUMNS_WITH_VALUES.map(({ column, value }) => copied(column, ({ search }) => search[value])),
  {
    name: 'words',
    staged: [
      { name: 'text', value: ({ search }) => search.text },
      { name: 'names', value: ({ search }) => search.names },
      { name: 'product_names', value: ({ products }) => listProductNames(products) },
    ],
    expression: WORDS,
    recomputed: sql`catalog.cve_words(
      catalog.cve_id(staged.cve_key), staged.text, staged.names, staged.product_names
    )`,
  },
  copied('content_hash', hashContent),
]

/** The columns of catalog.cve. */
export const CVE_COLUMNS: readonly string[] = SEARCH_COLUMNS.map(({ name }) => name)

const ALL_STAGED = SEARCH_COLUMNS.flatMap(({ staged }) => staged)

export const STAGED_COLUMNS: readonly string[] = ALL_STAGED.map(({ name }) => name)

export function readStagedValues(published: Published): readonly CopyValue[] {
  return ALL_STAGED.map(({ value }) => value(published))
}

/** The values of a row of staged_cve, by the columns of catalog.cve into which they will be written. */
export const STAGED_EXPRESSIONS = sql.join(
  SEARCH_COLUMNS.map(({ name, expression = sql.id(name) }) => sql`${expression} as ${sql.id(name)}`),
)

/** Upserts every row of the temporary table staged_cve into catalog.cve. */
export const UPSERT_SEARCH_COLUMNS = sql`
    insert into catalog.cve (${sql.join(SEARCH_COLUMNS.map(({ name }) => sql.id(name)))})
    select ${sql.join(SEARCH_COLUMNS.map(({ name, expression }) => expression ?? sql.id(name)))}
      from staged_cve
     order by cve_key
    on conflict (cve_key) do update
       set ${sql.join(
         SEARCH_COLUMNS.filter(({ name }) => name !== KEY).map(
           ({ name }) => sql`${sql.id(name)} = excluded.${sql.id(name)}`,
         ),
       )}
  `

/**
 * Names of the search columns whose published value differs from the staged value, as a list of SQL expressions that
 * are null for equal columns. The statement must give staged_cve the alias `staged`, and catalog.cve `published`.
 */
export const DIFFERING_SEARCH_COLUMNS = SEARCH_COLUMNS.filter(({ name }) => name !== KEY).map(
  ({ name, recomputed = sql`staged.${sql.id(name)}` }) =>
    sql`case when ${recomputed} is distinct from published.${sql.id(name)} then ${sql.lit(name)} end`,
)

/** Maximum number of products whose names are included in the words of a CVE. */
const MAX_PRODUCTS = 64

/**
 * Lists the vendor and product of at most MAX_PRODUCTS products. One product of each vendor comes first, so that a CVE
 * with very many products is found by each of its vendors. Other spellings of these vendors come last.
 */
export function listProductNames(products: readonly NamedProduct[]): readonly string[] {
  const chosen = chooseProducts(products)
  const spellings = new Set(chosen.flatMap(({ vendor }) => VENDOR_SPELLINGS.get(vendor) ?? []))
  return [...chosen.map(({ vendor, product }) => `${vendor} ${product}`), ...spellings]
}

function chooseProducts(products: readonly NamedProduct[]): readonly NamedProduct[] {
  if (products.length <= MAX_PRODUCTS) return products
  const isFirst = ({ vendor }: NamedProduct, index: number) => vendor !== products[index - 1]?.vendor
  const others = products.filter((product, index) => !isFirst(product, index))
  return [...products.filter(isFirst), ...others].slice(0, MAX_PRODUCTS)
}

/** Hashes the published CVE without its KEV entry and EPSS score, which are published separately. */
function hashContent({ search, products, names, aliases, fragments, details }: Published): Buffer {
  // None of the hashed texts contains a NUL character, so NUL can separate the texts without ambiguity. One call to
  // `hash` with the joined text takes half the time of one call per text.
  let content = JSON.stringify(search)
  for (const column of DOCUMENT_COLUMNS) content += `\0${fragments[column]}`
  // The numbers show where the products and the names end and the aliases begin.
  content += `\0${products.length}\0${names.length}`
  for (const { vendor, product } of [...products, ...names]) content += `\0${vendor}\0${product}`
  for (const { alias, source } of aliases) content += `\0${alias}\0${source}`
  for (const { source, record } of details) content += `\0${source}\0${record}`
  return hash('sha256', content, 'buffer')
}
