// Lists the columns that the SQL conditions of the filters read.
import type { Database } from '../../../src/database/postgres.ts'
import { FILTER_ENTRIES, type FilterName } from '../../../src/search/filters/table.ts'

/** Values that SQL conditions are built from. A filter by component lists CVEs that were found before. */
const readValues = (name: string, isList: boolean, example: unknown): readonly string[] => {
  if (name === 'cpe' || name === 'purl') return []
  if (isList && Array.isArray(example)) return [example.join(',')]
  return typeof example === 'boolean' ? ['true', 'false'] : [String(example)]
}

/** Returns columns such as `cve.score` that the filters read; all filters, if no names are left out. */
export function listFilterColumns(db: Database, leftOut: readonly FilterName[] = []): ReadonlySet<string> {
  return new Set(
    FILTER_ENTRIES.filter(([name]) => !leftOut.includes(name)).flatMap(
      ([name, { parameter, condition, rowCondition }]) =>
        readValues(name, parameter.isList, parameter.example).flatMap((text) => {
          const { value } = parameter.read(name, [{ text, isMalformed: false }]) as { value?: unknown }
          if (value === undefined) throw new Error(`${name}=${text} is no valid filter`)
          return [condition(value), rowCondition(value)].flatMap((built) =>
            Array.from(
              built.compile(db).sql.matchAll(/\b(cve|epss|kev|product)"?\."?(\w+)/g),
              ([, table = '', column = '']) => `${table}.${column}`,
            ),
          )
        }),
    ),
  )
}
