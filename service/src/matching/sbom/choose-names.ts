// Chooses among a component's names. Syft lists several CPE names for a binary file, such as
// `python_software_foundation:python` before the `python:python` that NVD uses.
import { sql } from 'kysely'
import { createFixedStatement } from '../../database/fixed-statement.ts'
import type { Database } from '../../database/postgres.ts'
import { type ProductName, splitNames, toNameKey } from '../read/read-rows.ts'
import type { NamedComponent } from './document/name-component.ts'

/** Limits the work that one document causes. Further components keep their first name. */
const MAX_NAMES = 10_000

/** Takes a component's first name if the catalog knows none of its names. */
export async function chooseKnownNames(
  db: Database,
  components: readonly NamedComponent[],
): Promise<readonly NamedComponent[]> {
  const names = components.flatMap((each) => (each.others.length === 0 ? [] : listNames(each)))
  const known = await readKnownNames(db, names)
  if (known.size === 0) return components
  return components.map((each) => {
    const named = [each, ...each.others].find(({ component }) => known.has(toNameKey(component)))
    return named === undefined ? each : { ...each, component: named.component, label: named.label }
  })
}

const listNames = ({ component, others }: NamedComponent) => [component, ...others.map((each) => each.component)]

async function readKnownNames(db: Database, names: readonly ProductName[]): Promise<ReadonlySet<string>> {
  const distinct = [...new Map(names.map((each) => [toNameKey(each), each])).values()].slice(0, MAX_NAMES)
  if (distinct.length === 0) return new Set()
  const rows = await knownNamesStatement(db, splitNames(distinct))
  return new Set(rows.map(toNameKey))
}

const knownNamesStatement = createFixedStatement(sql<ProductName>`
  select wanted.kind, wanted.vendor, wanted.product
    from unnest(${[]}::text[], ${[]}::text[], ${[]}::text[]) as wanted (kind, vendor, product)
   where exists (select
                   from catalog.affected_name as name
                        join catalog.affected as affected on affected.name_key = name.name_key
                  where name.product = wanted.product
                    and name.kind = wanted.kind
                    and name.vendor = wanted.vendor)
`)
