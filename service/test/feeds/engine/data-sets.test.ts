import { expect, it } from 'vitest'
import { DATA_SOURCES, SOURCE_IDS } from '../../../src/domain/source/sources.ts'
import { storeDataSets } from '../../../src/feeds/engine/data-sets.ts'
import { createTestDatabase } from '../../support/database.ts'
import { readRows, runStatements } from '../../support/run-statements.ts'

const { url } = await createTestDatabase()

const readDataSets = () =>
  readRows(url, 'select name, stale_after_seconds, is_required, table_count::int from catalog.dataset order by name')

it('setting up data sets stores one for every source, keeps its state, and writes nothing the second time', async () => {
  await runStatements(
    url,
    `delete from catalog.dataset where name = 'osv-go'`,
    `update catalog.dataset set is_required = false, table_count = 7 where name = 'kev'`,
  )
  expect([...(await storeDataSets(url))].sort()).toEqual(['kev', 'osv-go'])
  expect(await storeDataSets(url)).toEqual([])
  expect(await readDataSets()).toEqual(
    SOURCE_IDS.toSorted().map((id) => ({
      name: id,
      stale_after_seconds: DATA_SOURCES[id].staleAfterSeconds,
      is_required: ['nvd', 'cve', 'kev', 'epss', 'acsc'].includes(id),
      table_count: id === 'kev' ? 7 : 0,
    })),
  )
})
