// Lists the columns and tables that the SQL conditions of the filters read, and those of their columns in memory.
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../src/database/postgres.ts'
import { DEFINITIONS } from '../../../src/search/columns/definitions.ts'
import { FILTER_ENTRIES, type FilterName } from '../../../src/search/filters/table.ts'

/** Values that SQL conditions are built from. A filter by component lists CVEs that were found before. */
const readValues = (name: string, isList: boolean, example: unknown): readonly string[] => {
  if (name === 'cpe' || name === 'purl') return []
  if (isList && Array.isArray(example)) return [example.join(',')]
  return typeof example === 'boolean' ? ['true', 'false'] : [String(example)]
}

const listConditions = (leftOut: readonly FilterName[]): readonly RawBuilder<unknown>[] =>
  FILTER_ENTRIES.filter(([name]) => !leftOut.includes(name)).flatMap(([name, { parameter, condition, rowCondition }]) =>
    readValues(name, parameter.isList, parameter.example).flatMap((text) => {
      const { value } = parameter.read(name, [{ text, isMalformed: false }]) as { value?: unknown }
      if (value === undefined) throw new Error(`${name}=${text} is no valid filter`)
      return [condition(value), rowCondition(value)]
    }),
  )

const findNames = (db: Database, built: readonly RawBuilder<unknown>[], pattern: RegExp): ReadonlySet<string> =>
  new Set(
    built.flatMap((each) => Array.from(each.compile(db).sql.matchAll(pattern), ([, ...names]) => names.join('.'))),
  )

const COLUMN = /\b(cve|epss|kev|product)"?\."?(\w+)/g
const TABLE = /\b(?:from|join)\s+"?catalog"?\."?(\w+)/g

/** Returns columns such as `cve.score` that the filters read; all filters, if no names are left out. */
export function listFilterColumns(db: Database, leftOut: readonly FilterName[] = []): ReadonlySet<string> {
  return findNames(db, listConditions(leftOut), COLUMN)
}

/** Returns columns such as `cve.score` whose values are kept in memory for filters. */
export function listColumnsInMemory(db: Database): ReadonlySet<string> {
  return findNames(
    db,
    Object.values(DEFINITIONS).map(({ select }) => select),
    COLUMN,
  )
}

/** Returns the tables that conditions read in subqueries. */
export function listFilterTables(db: Database): ReadonlySet<string> {
  return findNames(db, listConditions([]), TABLE)
}
