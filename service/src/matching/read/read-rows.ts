import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import type { Component } from '../../domain/component/component.ts'
import { AFFECTED_MEMBERS, type StoredRow } from '../../record/affected-row.ts'

interface NamedRow extends StoredRow {
  /** Position among the distinct names, starting at 1. */
  readonly place: string
}

export type ProductName = Pick<Component, 'kind' | 'vendor' | 'product'>

export const toNameKey = ({ kind, vendor, product }: ProductName) => JSON.stringify([kind, vendor, product])

/** Returns one list per name, in the same order. The names must be distinct. */
export async function readRows(
  db: Database,
  names: readonly ProductName[],
): Promise<readonly (readonly StoredRow[])[]> {
  const rows = names.length === 0 ? [] : shareTexts(await rowsStatement(db, splitNames(names)))
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place))
  return names.map((_, index) => byPlace.get(index + 1) ?? [])
}

/**
 * Keeps one copy of each text that occurs in many rows: the rows of a large product stay in memory while its versions
 * are judged.
 */
function shareTexts(rows: readonly NamedRow[]): readonly NamedRow[] {
  const texts = new Map<string, string>()
  const share = <Text extends string | null>(text: Text): Text => {
    if (text === null) return text
    const known = texts.get(text)
    if (known !== undefined) return known as Text
    texts.set(text, text)
    return text
  }
  return rows.map((row) => ({
    ...row,
    subjectKey: share(row.subjectKey),
    vendor: share(row.vendor),
    product: share(row.product),
    scheme: share(row.scheme),
    source: share(row.source),
    target: share(row.target),
    edition: share(row.edition),
    low: share(row.low),
    high: share(row.high),
    fixed: share(row.fixed),
    known: share(row.known ?? null),
  }))
}

/** Splits names into columns for `unnest`. */
export function splitNames(names: readonly ProductName[]) {
  return [
    names.map(({ kind }) => kind),
    names.map(({ vendor }) => vendor),
    names.map(({ product }) => product),
  ] as const
}

/** Selects the rows that name the products. Requires the parameters from splitNames. */
export const FROM_NAMED_ROWS = sql`
    from unnest(${[]}::text[], ${[]}::text[], ${[]}::text[]) with ordinality as wanted (kind, vendor, product, place)
         join catalog.affected_name as name
           on name.product = wanted.product
          and name.kind = wanted.kind
          and (name.vendor = wanted.vendor or wanted.vendor is null)
         join catalog.affected as affected on affected.name_key = name.name_key`

const rowsStatement = createFixedStatement(sql<NamedRow>`
  select wanted.place, affected.subject_key as "subjectKey", name.vendor, name.product, ${AFFECTED_MEMBERS}
  ${FROM_NAMED_ROWS}
`)
