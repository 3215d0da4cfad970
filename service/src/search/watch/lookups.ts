// What queries in memory ask the database: searches for words, which only PostgreSQL judges, and whether the index of
// names has a name with commas. Each is asked once for all queries and CVEs of a batch.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { NameColumn } from '../column-values.ts'
import { parseSearch } from '../words/parse.ts'
import { encodePieces } from '../words/pieces.ts'
import type { Facts } from './facts.ts'
import type { CompiledQuery, Lookups } from './query.ts'

/** What the queries ask. */
export interface Asked {
  readonly searches: ReadonlySet<string>
  readonly names: readonly AskedName[]
}

interface AskedName {
  readonly column: NameColumn
  readonly name: string
}

export function listAsked(queries: Iterable<CompiledQuery>): Asked {
  const [searches, names] = [new Set<string>(), new Map<string, AskedName>()]
  for (const { conditions, nameConditions } of queries) {
    for (const { words } of conditions) if (words !== undefined) searches.add(words)
    for (const { column, asked } of nameConditions)
      for (const name of asked) names.set(`${column} ${name}`, { column, name })
  }
  return { searches, names: [...names.values()] }
}

/** `facts` are all that the queries will judge, before and after a change. */
export async function readLookups(db: Database, asked: Asked, facts: Iterable<Facts>): Promise<Lookups> {
  const known = await readKnownNames(db, asked.names)
  const listSearches = await readHitsOfWords(db, [...asked.searches], facts)
  return { isKnown: (column, name) => known.has(`${column} ${name}`), listSearches }
}

async function readKnownNames(db: Database, names: readonly AskedName[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<AskedName>`
    select asked.column, asked.name
      from unnest(${names.map(({ column }) => column)}::text[], ${names.map(({ name }) => name)}::text[])
           as asked ("column", name)
     where case when asked.column = 'vendor' then exists (select from catalog.product where vendor = asked.name)
                else exists (select from catalog.product where product = asked.name)
           end
  `.execute(db)
  return new Set(rows.map(({ column, name }) => `${column} ${name}`))
}

const NONE: ReadonlySet<string> = new Set()

async function readHitsOfWords(
  db: Database,
  searches: readonly string[],
  facts: Iterable<Facts>,
): Promise<Lookups['listSearches']> {
  const texts = searches.length === 0 ? [] : [...new Set(Array.from(facts, ({ words }) => words))]
  const hits = texts.length === 0 ? [] : await judgeWords(db, searches, texts)
  const searchesOf = new Map<string, Set<string>>(texts.map((text) => [text, new Set()]))
  for (const [number, search] of searches.entries())
    for (const text of hits[number] ?? []) searchesOf.get(texts[text] ?? '')?.add(search)
  return (words) => {
    const found = searchesOf.get(words)
    if (!found && searches.length > 0) throw new Error('The database was not asked about these words.')
    return found ?? NONE
  }
}

/** For each search, returns the numbers of the texts that meet it. A search without words is met by every text. */
async function judgeWords(
  db: Database,
  searches: readonly string[],
  texts: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const pieces = searches.map((search) => encodePieces(parseSearch(search)))
  const { rows } = await sql<{ texts: readonly number[] }>`
    with searched as materialized (
      select number, catalog.pieces_query(array(select json_array_elements_text(pieces))) as query
        from json_array_elements(${JSON.stringify(pieces)}::json) with ordinality as sent (pieces, number)
    ), given as materialized (
      select number::integer, text::tsvector as words
        from unnest(${texts}::text[]) with ordinality as sent (text, number)
    )
    select array(
             select given.number - 1
               from given
              where query is null or ts_match_vq(given.words, query)
           ) as texts
      from searched
     order by searched.number
  `.execute(db)
  return rows.map(({ texts: numbers }) => numbers)
}
