// Finds names of products, vendors, weaknesses, assigners and techniques that start with a text or resemble it. Each
// statement compares only names whose first or second word has the same first two letters: a trigram index over all
// names would need up to 170 ms for a common word such as "firmware".
import { type RawBuilder, sql } from 'kysely'
import { createFixedStatement, type FixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { toCpeSpelling, toVendorSpelling } from '../../domain/cpe/cpe-value.ts'
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

/** Renders the schema `Suggestion`. */
export function renderSuggestedName({ value, vendor, title, cve_count }: SuggestedName) {
  return { value, ...(vendor !== null && { vendor }), ...(title !== null && { title }), count: cve_count }
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
    const found = await findNames(db, kind, name, limit)
    return kind === 'vendor' || found[0]?.value.startsWith(name) ? found : addAfterVendor(db, { name, limit }, found)
  }
  return SHORT_LISTS[kind](db, [addPrefix(kind, lower), listPatterns(lower), limit])
}

/** Shorter texts after a first word would find names by chance. */
const MIN_AFTER_VENDOR = 3

/** People also write the vendor before the product. Its products come first, and those of other vendors last. */
async function addAfterVendor(
  db: Database,
  { name, limit }: { readonly name: string; readonly limit: number },
  found: readonly SuggestedName[],
): Promise<readonly SuggestedName[]> {
  const end = name.indexOf('_')
  const [vendor, product] = [name.slice(0, end), name.slice(end + 1)]
  if (end < 1 || Array.from(product).length < MIN_AFTER_VENDOR) return found
  const others = await findNames(db, 'product', product, limit)
  const ofVendor = others.filter((each) => each.vendor === vendor)
  const names = [...ofVendor, ...found, ...others]
  const isFirst = ({ value, vendor: of }: SuggestedName, index: number) =>
    names.findIndex((each) => each.value === value && each.vendor === of) === index
  return names.filter(isFirst).slice(0, limit)
}

function findNames(
  db: Database,
  kind: 'product' | 'vendor',
  name: string,
  limit: number,
): Promise<readonly SuggestedName[]> {
  const start = Array.from(name).slice(0, 2).join('')
  const { short, long } = STATEMENTS[kind]
  const spellings = [...listSimilarSpellings(name), ...(kind === 'vendor' ? [toVendorSpelling(name)] : [])]
  return (name === start ? short : long)(db, [name, start, spellings, limit])
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
  /** The second word of the name, if an index finds names by its first two letters (product_second_word). */
  readonly secondWord?: RawBuilder<unknown>
}

/** The whole names, and the words of longer names with which the text is compared. */
const PARTS = sql`
      select value, vendor, cve_count, 3 as class, value as part
        from compared
       where first_word = 1
       union all
      select value, vendor, cve_count, 3 + first_word,
             array_to_string((string_to_array(value, '_'))[first_word:first_word + word_count - 1], '_')
        from compared
       cross join (select length(word) - length(replace(word, '_', '')) + 1 as word_count from input) counted
       where first_word > 1 or strpos(value, '_') > 0`

/** Each found name with its best class. */
const BEST_MATCHES = sql`
             select distinct on (value, vendor) value, vendor, cve_count, class, similarity
               from (
                      select value, vendor, cve_count, class, 1::real as similarity from exact
                       union all
                      select value, vendor, cve_count, 1, 1::real from beginning
                       union all
                      select value, vendor, cve_count, class, similarity from resembling where similarity >= ${MIN_SIMILARITY}
                    ) all_names
              order by value, vendor, class`

/**
 * Creates a statement with the parameters text, its first two characters, similar spellings and maximum number of
 * names. `input` holds them, because a fixed statement cannot repeat a parameter; a scalar subquery gives an index scan
 * the same bounds as a parameter. Names with the same first two letters come from an index ordered by number of CVEs,
 * so a two-letter text needs no sort: up to 5,000 names start with the same two letters, and 2,100 with the same three.
 *
 * A text is compared with whole names, and with as many words at the start of a name as it has itself: `exchnage`
 * resembles `exchange_server`. Words from the second on are compared too, as in `microsoft_exchange_server`.
 */
function createNameStatement(
  { table, name, vendor, condition, secondWord }: NameTable,
  isShort: boolean,
): FixedStatement<SuggestedName> {
  const [word, start, limit] = [
    sql`(select word from input)`,
    sql`(select start from input)`,
    sql`(select max_names from input)`,
  ]
  const columns = sql`${name} as value, ${vendor} as vendor, cve_count`
  const hasSameStart = sql`left(${name}, 2) = ${start}`
  const startsWithWord = isShort ? hasSameStart : sql`${name} >= ${word} and ${name} < ${word} || ${LAST_CHARACTER}`
  const needsMore = sql`(select count(*) from beginning) < ${limit}`
  const selectCompared = (isCompared: RawBuilder<unknown>, nr: number) => sql`(
      select ${columns}, ${sql.lit(nr)} as first_word
        from ${table}
       where ${condition} and ${needsMore} and ${isCompared}
       order by cve_count desc
       limit ${MAX_COMPARED}
    )`
  const comparedBySecond =
    secondWord &&
    sql` union all ${selectCompared(sql`${secondWord} not in ('', 'firmware') and left(${secondWord}, 2) = ${start}`, 2)}`
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
      ${selectCompared(hasSameStart, 1)}${comparedBySecond ?? sql``}
    ), parts as (${PARTS}
    ), resembling as (
      select value, vendor, cve_count, class, catalog.similarity(part, ${word}) as similarity
        from parts
       where abs(length(part) - length(${word})) <= ${MAX_LENGTH_DIFFERENCE}
    )
    select value, vendor, null as title, cve_count
      from (${BEST_MATCHES}
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
  secondWord: sql`split_part(product, '_', 2)`,
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
