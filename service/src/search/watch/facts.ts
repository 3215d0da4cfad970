// What a watch knows of a CVE: the values that filters of /cves read, now or at an earlier position of the change log
// (undo-change.ts).
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { CveKey } from '../../domain/cve-id.ts'
import { type ColumnValues, FLAG_NAMES, type Flags } from '../column-values.ts'
import { COUNTED_CHANGE } from '../counted-changes.ts'

/** No filter of a watch reads the percentile, which moves with the scores of other CVEs, and none reads the year. */
type FactValues = Omit<ColumnValues, 'percentile' | 'year'>

export interface VulnerableProduct {
  readonly vendor: string
  readonly product: string
}

/** A row of the change log with which a CVE became urgent. */
export interface UrgentChange {
  readonly seq: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Facts {
  readonly key: CveKey
  readonly values: FactValues
  readonly products: readonly VulnerableProduct[]
  /** Text of the type tsvector. */
  readonly words: string
  readonly urgentChanges: readonly UrgentChange[]
}

/**
 * Rows of the tables that filters read, as catalog.change_before keeps them: columns of catalog.cve, and all rows of a CVE
 * in the other tables.
 */
export interface KeptRows {
  readonly cve?: Readonly<Record<string, unknown>>
  readonly product?: readonly VulnerableProduct[]
  readonly kev?: readonly { readonly date_added: string }[]
  readonly epss?: readonly { readonly score: number | null }[]
}

type OwnColumn = Exclude<keyof FactValues, 'epss' | 'kev_added' | 'flags'>

const asStored = (stored: never) => stored
const asTime = (stored: string | null) => (stored === null ? null : parseTime(stored))

/** Columns of catalog.cve, except flags, and how their JSON becomes a value. */
const OWN_COLUMNS: { readonly [C in OwnColumn]: (stored: never) => FactValues[C] } = {
  published: asTime,
  modified: asTime,
  score: asStored,
  score_version: asStored,
  priority: asStored,
  ssvc: asStored,
  disagreements: asStored,
  maturity: asStored,
  evidence_count: asStored,
  cpe_count: asStored,
  status: asStored,
  assigner: asStored,
  attack_vector: asStored,
  cwes: asStored,
  techniques: asStored,
  sources: asStored,
}

// The cast is safe: Object.keys returns the keys of the table.
const OWN_COLUMN_NAMES = Object.keys(OWN_COLUMNS) as readonly OwnColumn[]

/** The columns of catalog.cve from which facts are read. */
export const FACT_COLUMNS: readonly string[] = [...OWN_COLUMN_NAMES, ...FLAG_NAMES, 'words']

/** Time with microseconds, which are kept as fractions of a millisecond. */
function parseTime(text: string): number {
  const [, toSeconds = '', micros = '', zone = ''] = /^([^.+]+?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const seconds = Date.parse(`${toSeconds}${zone}`)
  if (Number.isNaN(seconds)) throw new Error(`${text} is no time of a kept row.`)
  // Both summands are integers below 2^53, so only the division rounds, as in PostgreSQL.
  return (seconds * 1000 + Number(micros.padEnd(6, '0'))) / 1000
}

/** Returns the facts with other rows. What `rows` does not contain stays. */
export function replaceRows(facts: Facts, rows: KeptRows): Facts {
  const words = rows.cve?.['words']
  return {
    ...facts,
    values: {
      ...(rows.cve === undefined ? facts.values : replaceColumns(facts.values, rows.cve)),
      ...(rows.kev === undefined ? {} : { kev_added: rows.kev[0]?.date_added ?? null }),
      ...(rows.epss === undefined ? {} : { epss: rows.epss[0]?.score ?? null }),
    },
    products: rows.product ?? facts.products,
    words: typeof words === 'string' ? words : facts.words,
  }
}

function replaceColumns(values: FactValues, columns: Readonly<Record<string, unknown>>): FactValues {
  const isKept = (name: string) => columns[name] !== undefined
  const own = OWN_COLUMN_NAMES.filter(isKept).map((name) => [name, OWN_COLUMNS[name](columns[name] as never)] as const)
  const flags = FLAG_NAMES.filter(isKept).map((name) => [name, columns[name]] as const)
  return {
    ...values,
    ...Object.fromEntries(own),
    flags: flags.length === 0 ? values.flags : { ...values.flags, ...Object.fromEntries(flags) },
  }
}

/** Creates facts from all rows of a CVE. A row that is missing has no value. */
export function createFacts(key: CveKey, rows: KeptRows, urgentChanges: readonly UrgentChange[]): Facts {
  const columns = rows.cve ?? {}
  const missing = FACT_COLUMNS.filter((name) => columns[name] === undefined)
  if (missing.length > 0) throw new Error(`The kept rows of ${key} lack ${missing.join(', ')}.`)
  // The casts are safe: replaceRows sets every value, because no column is missing.
  const empty = { key, values: { flags: {} as Flags } as FactValues, products: [], words: '', urgentChanges }
  return replaceRows(empty, { product: [], kev: [], epss: [], ...rows })
}

const COLUMNS_AS_JSON = sql.join(
  FACT_COLUMNS.map(
    (name) => sql`${sql.lit(name)}, ${name === 'words' ? sql`cve.words::text` : sql.ref(`cve.${name}`)}`,
  ),
)

/** The changes of the CVE with which it became urgent, as JSON, on a row with the given key. */
export const urgentChanges = (key: string) => sql`(
             select coalesce(
                      json_agg(json_build_array(change.seq::text, (extract(epoch from change.at) * 1000)::float8)),
                      '[]'
                    )
               from catalog.change as change
              where change.cve_key = ${sql.ref(key)}
                and ${COUNTED_CHANGE}
                and 'became_urgent' = any (change.types)
           )`

export type UrgentChangesAsJson = readonly (readonly [seq: string, at: number])[]

export const readUrgentChanges = (json: UrgentChangesAsJson): readonly UrgentChange[] =>
  json.map(([seq, at]) => ({ seq, at }))

/** Reads the facts as the tables are now. A CVE that is not in the catalog is absent. */
export async function readFacts(db: Database, keys: readonly CveKey[]): Promise<ReadonlyMap<CveKey, Facts>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: CveKey; rows: KeptRows; urgent: UrgentChangesAsJson }>`
    select cve.cve_key::text as key,
           json_build_object(
             'cve', json_build_object(${COLUMNS_AS_JSON}),
             'product', named.products,
             'kev', case when kev.cve_key is null then '[]'
                         else json_build_array(json_build_object('date_added', kev.date_added))
                    end,
             'epss', json_build_array(json_build_object('score', epss.score))
           ) as rows,
           ${urgentChanges('cve.cve_key')} as urgent
      from catalog.cve as cve
      left join catalog.epss as epss on epss.cve_key = cve.cve_key
      left join catalog.kev as kev on kev.cve_key = cve.cve_key
     cross join lateral (
             select coalesce(
                      json_agg(json_build_object('vendor', vendor, 'product', product)
                               order by vendor collate "C", product collate "C"),
                      '[]'
                    ) as products
               from catalog.cve_product_name as named
              where named.cve_key = cve.cve_key
           ) as named
     where cve.cve_key = any(${keys}::bigint[])
  `.execute(db)
  return new Map(rows.map(({ key, rows: kept, urgent }) => [key, createFacts(key, kept, readUrgentChanges(urgent))]))
}
