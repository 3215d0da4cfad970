// Finds the names in the filters of a list that no CVE has, and suggests similar ones (decision E37).
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import { isLegalForm, splitSpelling, toVendorSpelling } from '../../domain/cpe/cpe-value.ts'
import { renderSuggestedName, suggestNames } from './suggest-names.ts'

interface NameFilters {
  readonly product_vendor?: readonly string[] | undefined
  readonly product?: readonly string[] | undefined
}

interface UnknownName {
  readonly parameter: keyof NameFilters
  readonly value: string
}

interface UnknownNameWithSuggestions extends UnknownName {
  readonly suggestions: readonly ReturnType<typeof renderSuggestedName>[]
}

/** Each name takes a statement, so further names get no suggestions and are not listed. */
const MAX_NAMES = 5
const MAX_SUGGESTIONS = 3

/** `hasHits`: a list with hits has an unknown name only if a filter has several names. */
export async function findUnknownNames(
  db: Database,
  filters: NameFilters,
  hasHits: boolean,
): Promise<readonly UnknownNameWithSuggestions[]> {
  const sent = [
    ...(filters.product_vendor ?? []).map((value) => ({ parameter: 'product_vendor', value }) as const),
    ...(filters.product ?? []).map((value) => ({ parameter: 'product', value }) as const),
  ]
  const areAllKnown = hasHits && [filters.product_vendor, filters.product].every((names = []) => names.length <= 1)
  if (sent.length === 0 || areAllKnown) return []
  const unknown = listUnknown(sent, await readKnown(db, filters))
  return Promise.all(
    unknown.slice(0, MAX_NAMES).map(async ({ parameter, value }) => {
      const kind = parameter === 'product' ? 'product' : 'vendor'
      const names = await suggestNames(db, { kind, text: value, limit: MAX_SUGGESTIONS })
      return { parameter, value, suggestions: names.map(renderSuggestedName) }
    }),
  )
}

/**
 * The filters also hold names that were derived from those that the caller sent: a vendor without its legal form, and a
 * text with commas as a whole. These stand for the sent names and are not listed themselves.
 */
function listUnknown(sent: readonly UnknownName[], known: ReadonlySet<string>): readonly UnknownName[] {
  const isKnown = ({ parameter, value }: UnknownName) => known.has(`${parameter} ${value}`)
  const isFrom = ({ parameter, value }: UnknownName, other: UnknownName) =>
    parameter === other.parameter &&
    value !== other.value &&
    parameter === 'product_vendor' &&
    toVendorSpelling(other.value) === value
  const isPart = ({ parameter, value }: UnknownName, whole: UnknownName) =>
    parameter === whole.parameter && whole.value.includes(',') && splitSpelling(whole.value).includes(value)
  return sent.filter(
    (name) =>
      !name.value.includes(',') &&
      !isKnown(name) &&
      !(name.parameter === 'product_vendor' && isLegalForm(name.value)) &&
      !sent.some((other) => isFrom(name, other) || (isKnown(other) && (isFrom(other, name) || isPart(name, other)))),
  )
}

async function readKnown(db: Database, filters: NameFilters): Promise<ReadonlySet<string>> {
  const { rows } = await sql<UnknownName>`
    select 'product_vendor' as parameter, name as value
      from catalog.name_count
     where kind = 'vendor'
       and name = any (${filters.product_vendor ?? []}::text[])
     union all
    select 'product', sent.name
      from unnest(${filters.product ?? []}::text[]) as sent (name)
     where exists (select from catalog.product known where known.product = sent.name)
  `.execute(db)
  return new Set(rows.map(({ parameter, value }) => `${parameter} ${value}`))
}
