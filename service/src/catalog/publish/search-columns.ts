// The columns of catalog.cve, in one table. The columns of the temporary table, the values that COPY writes, and the
// column lists of the upsert are derived from this table.
import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { DOCUMENT_COLUMNS } from '../../contract/cve-fields.ts'
import type { CopyValue } from '../../database/copy-line.ts'
import type { Published } from '../render/published.ts'
import { toStoredCveKey } from './cve-key.ts'

interface SearchColumn {
  /** Column name in catalog.cve, and in the temporary table staged_cve unless `stagedAs` gives another name. */
  readonly name: string
  /** Returns the value that COPY writes into the column of the temporary table. */
  readonly value: (published: Published) => CopyValue
  /** Column of the temporary table staged_cve from which `expression` computes the column of catalog.cve. */
  readonly stagedAs?: string
  /** SQL expression that computes the column of catalog.cve from the columns of staged_cve. */
  readonly expression?: RawBuilder<unknown>
  /**
   * SQL expression that computes the column for a verification, if `expression` may copy the published value. It reads
   * staged_cve under the alias `staged`.
   */
  readonly recomputed?: RawBuilder<unknown>
}

const KEY = 'cve_key'

/**
 * The published words are kept if the description did not change, because computing the words of one description takes
 * about 150 µs. A migration that changes catalog.search_words must therefore update catalog.cve.words itself.
 */
const WORDS = sql`coalesce(
             (
               select published.words
                 from catalog.cve published
                 join catalog.cve_document document
                   on document.cve_key = published.cve_key
                where published.cve_key = staged_cve.cve_key
                  and document.description::json #>> '{}' = staged_cve.text
             ),
             catalog.search_words(catalog.cve_id(cve_key) || ' ' || text)
           )`

const SEARCH_COLUMNS: readonly SearchColumn[] = [
  { name: KEY, value: ({ cveId }) => toStoredCveKey(cveId) },
  { name: 'published', value: ({ search }) => search.published },
  { name: 'modified', value: ({ search }) => search.modified },
  { name: 'score', value: ({ search }) => search.score },
  { name: 'status', value: ({ search }) => search.status },
  { name: 'is_enriched', value: ({ search }) => search.isEnriched },
  { name: 'has_exploit', value: ({ search }) => search.hasExploit },
  { name: 'in_kev', value: ({ search }) => search.inKev },
  { name: 'in_eu_kev', value: ({ search }) => search.inEuKev },
  { name: 'has_notice', value: ({ search }) => search.hasNotice },
  { name: 'has_reference', value: ({ search }) => search.hasReference },
  { name: 'cpe_count', value: ({ search }) => search.cpeCount },
  { name: 'attack_vector', value: ({ search }) => search.attackVector },
  { name: 'has_patch', value: ({ search }) => search.hasPatch },
  { name: 'sources', value: ({ search }) => search.sources },
  { name: 'priority', value: ({ search }) => search.priority },
  { name: 'ssvc', value: ({ search }) => search.ssvc },
  { name: 'cwes', value: ({ search }) => search.cwes },
  { name: 'techniques', value: ({ search }) => search.techniques },
  { name: 'assigner', value: ({ search }) => search.assigner },
  { name: 'maturity', value: ({ search }) => search.maturity },
  { name: 'evidence_count', value: ({ search }) => search.evidenceCount },
  { name: 'has_fix', value: ({ search }) => search.hasFix },
  { name: 'is_ransomware', value: ({ search }) => search.isRansomware },
  { name: 'score_version', value: ({ search }) => search.scoreVersion },
  { name: 'disagreements', value: ({ search }) => search.disagreements },
  {
    name: 'words',
    value: ({ search }) => search.text,
    stagedAs: 'text',
    expression: WORDS,
    recomputed: sql`catalog.search_words(catalog.cve_id(staged.cve_key) || ' ' || staged.text)`,
  },
  { name: 'content_hash', value: hashContent },
]

export const STAGED_COLUMNS: readonly string[] = SEARCH_COLUMNS.map(({ name, stagedAs }) => stagedAs ?? name)

export function readStagedValues(published: Published): readonly CopyValue[] {
  return SEARCH_COLUMNS.map(({ value }) => value(published))
}

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

/** Hashes the published CVE without its KEV entry and EPSS score, which are published separately. */
function hashContent({ search, products, aliases, fragments, details }: Published): Buffer {
  // None of the hashed texts contains a NUL character, so NUL can separate the texts without ambiguity. One call of
  // `hash` with the joined text takes half the time of one call per text.
  let content = JSON.stringify(search)
  for (const column of DOCUMENT_COLUMNS) content += `\0${fragments[column]}`
  // The number of products separates the pairs of products from those of aliases.
  content += `\0${products.length}`
  for (const { vendor, product } of products) content += `\0${vendor}\0${product}`
  for (const { alias, source } of aliases) content += `\0${alias}\0${source}`
  for (const { source, record } of details) content += `\0${source}\0${record}`
  return hash('sha256', content, 'buffer')
}
