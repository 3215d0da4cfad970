// Finds names of products, vendors, weaknesses, assigners and techniques that start with a text or resemble it. Each
// statement compares only names with the same first two letters: a trigram index over all names would need up to 170 ms
// for a common word such as "firmware".
import { type RawBuilder, sql } from 'kysely'
import { createFixedStatement, type FixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { toCpeSpelling } from '../../domain/cpe/cpe-value.ts'
import { listSimilarSpellings } from './similar-spellings.ts'

export const NAME_KINDS = ['product', 'vendor', 'cwe', 'assigner', 'technique'] as const

type NameKind = (typeof NAME_KINDS)[number]

export interface SuggestedName {
  readonly value: string
  /** Null unless the name is a product. */
  readonly vendor: string | null
  /** Null unless the name is the id of a weakness or a technique. */
  readonly title: string | null
  readonly cve_count: number
}

interface NameQuery {
  readonly kind: NameKind
  readonly text: string
  readonly limit: number
}

/** Returns names that start with the text, those with the most CVEs first, followed by names that resemble it. */
export async function suggestNames(db: Database, { kind, text, limit }: NameQuery): Promise<readonly SuggestedName[]> {
  const lower = text.trim().toLowerCase()
  if (kind === 'product' || kind === 'vendor') {
    const name = toCpeSpelling(text)
    const start = Array.from(name).slice(0, 2).join('')
    const { short, long } = STATEMENTS[kind]
    return (name === start ? short : long)(db, [name, start, listSimilarSpellings(name), limit])
  }
  return SHORT_LISTS[kind](db, [addPrefix(kind, lower), listPatterns(lower), limit])
}

/** A number alone means the id with that number: 79 is CWE-79, and 1059 is T1059. */
function addPrefix(kind: NameKind, text: string): string {
  if (!/^\d/.test(text)) return text
  return kind === 'cwe' ? `cwe-${text}` : kind === 'technique' ? `t${text}` : text
}

/** Returns a `like` pattern for each word. Words consist of letters and digits, so nothing needs to be escaped. */
function listPatterns(text: string): readonly string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.map((word) => `%${word}%`)
}

/** Sorts after every other character in the collation "C". */
const LAST_CHARACTER = sql.lit('\u{10FFFF}')

/** Of the names with the same first two letters, this many are compared with the text: those with the most CVEs. */
const MAX_COMPARED = sql.lit(300)

/** A name that resembles a text may be this many characters shorter or longer. */
const MAX_LENGTH_DIFFERENCE = sql.lit(2)

/** Minimum proportion of shared trigrams. With one wrong letter, a six-letter word has 0.4, a nine-letter word 0.5. */
const MIN_SIMILARITY = sql.lit(0.3)

interface NameTable {
  readonly table: RawBuilder<unknown>
  readonly name: RawBuilder<unknown>
  readonly vendor: RawBuilder<unknown>
  readonly condition: RawBuilder<unknown>
}

/**
 * Creates a statement with the parameters text, its first two characters, similar spellings and maximum number of
 * names. `input` holds them, because a fixed statement cannot repeat a parameter; a scalar subquery gives an index scan
 * the same bounds as a parameter. Names with the same first two letters come from an index ordered by number of CVEs,
 * so a two-letter text needs no sort: up to 5,000 names start with the same two letters, and 2,100 with the same three.
 */
function createNameStatement(
  { table, name, vendor, condition }: NameTable,
  isShort: boolean,
): FixedStatement<SuggestedName> {
  const [word, limit] = [sql`(select word from input)`, sql`(select max_names from input)`]
  const columns = sql`${name} as value, ${vendor} as vendor, cve_count`
  const hasSameStart = sql`left(${name}, 2) = (select start from input)`
  const startsWithWord = isShort ? hasSameStart : sql`${name} >= ${word} and ${name} < ${word} || ${LAST_CHARACTER}`
  const needsMore = sql`(select count(*) from beginning) < ${limit}`
  return createFixedStatement(sql<SuggestedName>`
    with input as materialized (
      select ${'a text'}::text collate "C" as word,
             ${'a '}::text collate "C" as start,
             ${['at ext']}::text[] as spellings,
             ${10}::integer as max_names
    ), beginning as materialized (
      select ${columns}
        from ${table}
       where ${condition} and ${startsWithWord}
       order by cve_count desc
       limit ${limit}
    ), exact as materialized (
      select ${columns}, case when ${name} = ${word} then 0 else 2 end as class
        from ${table}
       where ${condition} and ${name} = any ((select case when ${needsMore} then spellings else '{}' end || word from input)::text[])
    ), compared as materialized (
      select ${columns}
        from ${table}
       where ${condition} and ${needsMore} and ${hasSameStart}
       order by cve_count desc
       limit ${MAX_COMPARED}
    ), resembling as (
      select value, vendor, cve_count, catalog.similarity(value, ${word}) as similarity
        from compared
       where abs(length(value) - length(${word})) <= ${MAX_LENGTH_DIFFERENCE}
    )
    select value, vendor, null as title, cve_count
      from (
             select distinct on (value, vendor) value, vendor, cve_count, class, similarity
               from (
                      select value, vendor, cve_count, class, 1::real as similarity from exact
                       union all
                      select value, vendor, cve_count, 1, 1::real from beginning
                       union all
                      select value, vendor, cve_count, 3, similarity from resembling where similarity >= ${MIN_SIMILARITY}
                    ) all_names
              order by value, vendor, class
           ) distinct_names
     order by class, similarity desc, cve_count desc, value, vendor
     limit ${limit}
  `)
}

const PRODUCTS: NameTable = {
  table: sql`catalog.product`,
  name: sql`product`,
  vendor: sql`vendor`,
  condition: sql`true`,
}

const VENDORS: NameTable = {
  table: sql`catalog.name_count`,
  name: sql`name`,
  vendor: sql`null::text`,
  condition: sql`kind = 'vendor'`,
}

const STATEMENTS = {
  product: { short: createNameStatement(PRODUCTS, true), long: createNameStatement(PRODUCTS, false) },
  vendor: { short: createNameStatement(VENDORS, true), long: createNameStatement(VENDORS, false) },
} as const

/**
 * Creates a statement that reads all names of one kind, a few hundred at most: first names that start with the text,
 * then names that contain all words of the text in the name or title, then assigners with a similar name. Its
 * parameters are the text, the patterns of the words and the maximum number of names. The kind is part of the
 * statement, because most names are vendors: if the kind were a parameter, the planner would read them all.
 */
function createShortListStatement(kind: 'cwe' | 'assigner' | 'technique'): FixedStatement<SuggestedName> {
  const word = sql`(select word from input)`
  const similarity = kind === 'assigner' ? sql`catalog.similarity(lower(name), ${word})` : sql`0::real`
  return createFixedStatement(sql<SuggestedName>`
    with input as materialized (
      select ${'cwe-79'}::text as word,
             ${['%cross%']}::text[] as patterns,
             ${10}::integer as max_names
    ), compared as (
      select name, title, cve_count, lower(name) as lower_name, ${similarity} as similarity
        from catalog.name_count
       where kind = ${sql.lit(kind)}
    ), classified as (
      select *,
             case when lower_name = ${word} then 0
                  when starts_with(lower_name, ${word}) then 1
                  when cardinality((select patterns from input)) > 0
                   and lower(concat_ws(' ', name, title)) like all ((select patterns from input)::text[]) then 2
                  when similarity >= ${MIN_SIMILARITY} then 3
             end as class
        from compared
    )
    select name as value, null as vendor, title, cve_count
      from classified
     where class is not null
     order by class, case when class = 3 then similarity end desc, cve_count desc, name
     limit (select max_names from input)
  `)
}

const SHORT_LISTS = {
  cwe: createShortListStatement('cwe'),
  assigner: createShortListStatement('assigner'),
  technique: createShortListStatement('technique'),
} as const
