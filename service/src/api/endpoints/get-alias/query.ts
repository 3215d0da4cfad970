import { sql } from 'kysely'
import { createFixedStatement } from '../../../database/fixed-statement.ts'
import type { Database } from '../../../database/postgres.ts'
import { toCveKey } from '../../../domain/cve-id.ts'
import { type Alias, toCveOfGcve } from '../../../domain/source/alias.ts'

interface FoundAlias {
  /** Keys of the CVEs, in ascending order. */
  readonly keys: readonly string[]
  readonly source: string
}

interface AliasRow {
  readonly cve_key: string
  readonly source: string
}

/** Returns undefined if no published CVE has the alias. */
export async function findAlias(db: Database, alias: Alias): Promise<FoundAlias | undefined> {
  const cveId = toCveOfGcve(alias)
  const rows = cveId ? await namesakeStatement(db, [toCveKey(cveId)]) : await aliasStatement(db, [alias])
  const [first] = rows
  // Only the database that issues an id names its CVEs, so all rows have the same source.
  return first && { keys: rows.map(({ cve_key }) => cve_key), source: first.source }
}

const aliasStatement = createFixedStatement(sql<AliasRow>`
  select cve_key, source
    from catalog.alias
   where alias = ${'an alias'}
   order by cve_key
`)

const namesakeStatement = createFixedStatement(sql<AliasRow>`
  select cve_key, 'gcve' as source
    from catalog.cve
   where cve_key = ${'a key'}
`)
