// The columns in memory while several writers change the tables, commit in any order, and lose their connections.
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPool } from '../../../src/database/postgres.ts'
import { toPosition } from '../../../src/record/change-log/position-text.ts'
import { followColumns } from '../../../src/search/columns/follow-columns.ts'
import { applyChanges, NEWEST_COLUMN_CHANGE, readAllColumns } from '../../../src/search/columns/read-columns.ts'
import { countFacetsInMemory } from '../../../src/search/facets/count-in-memory.ts'
import { countFacetsInSql } from '../../../src/search/facets/count-in-sql.ts'
import { FACET_NAMES } from '../../../src/search/facets/facets.ts'
import { generateCatalog } from '../../support/catalog/generated-catalog.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createDice } from '../../support/generator/dice.ts'

const LIMITS = { poolSize: 6, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 30_000 }
const QUERY = { values: {}, facets: FACET_NAMES, size: 50, names: {} }
const CHANGES = 60

const { url } = await createTestDatabase()
const { db, close } = openPool(url, 'test', LIMITS, () => {})
cleanUpAfterTests(close)
await generateCatalog(db, 600)

async function readNewest() {
  const { rows } = await sql<{ newest: string | null }>`select ${NEWEST_COLUMN_CHANGE} as newest`.execute(db)
  return toPosition(rows[0]?.newest)
}

describe('Columns in memory', () => {
  it('miss no change if a transaction that began to write first commits last', async () => {
    const read = await readAllColumns(db)
    const second = db.transaction().execute(async (first) => {
      await sql`update catalog.cve set status = 'Received' where cve_key % 2 = 0`.execute(first)
      const later = sql`update catalog.cve set status = 'Deferred' where cve_key % 2 = 1`.execute(db)
      // Long enough for the other statement to commit, if nothing made it wait.
      await sleep(300)
      const position = await applyChanges(db, read)
      expect(position).toBeDefined()
      return { later, position: position ?? read.position }
    })
    const { later, position } = await second
    await later
    expect(await applyChanges(db, { ...read, position })).toEqual(await readNewest())
    expect(countFacetsInMemory(read.columns, QUERY, undefined)).toEqual(await countFacetsInSql(db, QUERY))
  })

  it('show exactly the committed changes after writers lost their connections', { timeout: 120_000 }, async () => {
    const errors: unknown[] = []
    const columns = followColumns(db, { onRead: () => {}, onError: (error) => errors.push(error) })
    const write = async (writer: number) => {
      const dice = createDice(46, writer, 0)
      for (let change = 0; change < CHANGES; change += 1) await changeOnce(dice).catch(() => undefined)
    }
    await Promise.all([write(1), write(2), write(3)])
    const reached = await columns.reach(await readNewest())
    expect(reached && countFacetsInMemory(reached.columns, QUERY, undefined)).toEqual(await countFacetsInSql(db, QUERY))
    expect(errors).toEqual([])
  })
})

const STATEMENTS: readonly ((part: number) => RawBuilder<unknown>)[] = [
  (part) => sql`update catalog.cve set score = ${part % 10}, in_kev = not in_kev where cve_key % 17 = ${part % 17}`,
  (part) => sql`update catalog.epss set score = ${(part % 100) / 100} where cve_key % 19 = ${part % 19}`,
  (part) => sql`delete from catalog.cve_product where cve_key % 23 = ${part % 23}`,
  (part) => sql`
    insert into catalog.cve_product (product_key, cve_key)
    select product_key, cve_key from catalog.cve, catalog.product
     where cve_key % 23 = ${part % 23} and product_key % 5 = ${part % 5}
    on conflict do nothing`,
  (part) => sql`delete from catalog.cve where cve_key % 97 = ${part % 97}`,
]

/** Every third transaction loses its connection before it commits. */
async function changeOnce(dice: ReturnType<typeof createDice>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let statement = 0; statement <= dice.below(2); statement += 1)
      await STATEMENTS[dice.below(STATEMENTS.length)]?.(dice.below(1000)).execute(tx)
    if (dice.below(3) === 0) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  })
}
