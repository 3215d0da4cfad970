// Reads what the catalog says about products and packages.
import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import type { AffectedRow } from './affected-row.ts'
import type { Component } from './component.ts'

/** More rows than this are refused: they would take seconds to compare. */
export const MAX_ROWS = 100_000

interface NamedRow extends AffectedRow {
  /** Position of the name among the distinct names, from 1. */
  readonly place: string
}

const toKey = ({ kind, vendor, product }: Component) => JSON.stringify([kind, vendor, product])

/**
 * Returns the rows of each component, in the order of the components, or undefined if there are more than MAX_ROWS. The rows
 * of equal names are read once.
 */
export async function readRows(
  db: Database,
  components: readonly Component[],
): Promise<readonly (readonly AffectedRow[])[] | undefined> {
  const names = [...new Map(components.map((each) => [toKey(each), each])).values()]
  const [kinds, vendors, products] = [
    names.map(({ kind }) => kind),
    names.map(({ vendor }) => vendor),
    names.map(({ product }) => product),
  ]
  const rows = await rowsStatement(db, [kinds, vendors, products, MAX_ROWS + 1])
  if (rows.length > MAX_ROWS) return undefined
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place))
  const byName = new Map(names.map((name, index) => [toKey(name), byPlace.get(index + 1) ?? []]))
  return components.map((each) => byName.get(toKey(each)) ?? [])
}

const rowsStatement = createFixedStatement(sql<NamedRow>`
  select wanted.place, affected.subject_key, name.vendor, name.product, affected.is_affected, affected.is_vague,
         affected.low_in, affected.high_in, affected.scheme, affected.source, affected.target, affected.edition,
         affected.versions, affected.low, affected.high, affected.fixed, affected.condition
    from unnest(${[]}::text[], ${[]}::text[], ${[]}::text[]) with ordinality as wanted (kind, vendor, product, place)
         join catalog.affected_name as name
           on name.product = wanted.product
          and name.kind = wanted.kind
          and (name.vendor = wanted.vendor or wanted.vendor is null)
         join catalog.affected as affected on affected.name_key = name.name_key
   limit ${0}
`)
