import { beforeEach, describe, expect, it } from 'vitest'
import { deleteExpiredChanges, planRetention } from '../../../src/catalog/changes/retention.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const catalog = await createCatalogHarness()

beforeEach(async () => {
  await catalog.selectRows('truncate catalog.change restart identity')
  await catalog.selectRows('update catalog.change_floor set data_seq = 0, complete_seq = 0')
})

/** Writes rows, each with a cause and an age in days. */
async function log(...rows: readonly (readonly [cause: string, ageDays: number])[]): Promise<void> {
  for (const [cause, age] of rows) {
    const at = new Date(catalog.clock.now().getTime() - age * 86_400_000).toISOString()
    await catalog.selectRows(
      `insert into catalog.change (cve_key, kind, cause, at) values (1, 'changed', '${cause}', '${at}')`,
    )
  }
}

const readState = async () => {
  const rows = await catalog.selectRows<{ seq: string }>('select seq from catalog.change order by seq')
  const [floor] = await catalog.selectRows('select data_seq, complete_seq from catalog.change_floor')
  return { kept: rows.map(({ seq }) => Number(seq)), floor }
}

describe('Change log retention', () => {
  it('keeps data changes for 400 days and other changes for 30 days, and records up to where changes were deleted', async () => {
    await log(['data', 401], ['data', 399], ['rules', 31], ['reload', 31], ['rules', 29], ['data', 0])
    expect(await deleteExpiredChanges(catalog.context, [6n])).toBe(3)
    expect(await readState()).toEqual({ kept: [2, 5, 6], floor: { data_seq: '1', complete_seq: '4' } })
  })

  it('keeps the row of the oldest snapshot and every row after it', async () => {
    await log(['data', 500], ['data', 500], ['data', 500], ['data', 0])
    expect(await deleteExpiredChanges(catalog.context, [4n, 2n, 3n])).toBe(1)
    expect(await readState()).toEqual({ kept: [2, 3, 4], floor: { data_seq: '1', complete_seq: '1' } })
  })

  it('keeps every row while there is no snapshot', async () => {
    await log(['data', 500], ['data', 0])
    expect(planRetention(catalog.clock.now(), [])).toBeUndefined()
    expect(await deleteExpiredChanges(catalog.context, [])).toBe(0)
  })

  it('keeps the newest row, whatever its age', async () => {
    await log(['data', 500], ['data', 500])
    await deleteExpiredChanges(catalog.context, [2n])
    expect((await readState()).kept).toEqual([2])
  })

  it('deletes more rows than fit into one batch', async () => {
    await catalog.selectRows(
      "insert into catalog.change (kind, at) select 'epss', '2020-01-01' from generate_series(1, 20001)",
    )
    expect(await deleteExpiredChanges(catalog.context, [30_000n])).toBe(20_000)
    expect((await readState()).kept).toEqual([20_001])
  })

  it('keeps CVE additions and removals for 400 days, whatever their cause', async () => {
    await log(['rules', 31], ['reload', 31], ['data', 0])
    await catalog.selectRows("update catalog.change set kind = case seq when 1 then 'added' else 'removed' end")
    expect(await deleteExpiredChanges(catalog.context, [3n])).toBe(0)
  })

  it('deletes replaced values after 400 days, and records since when the history is complete', async () => {
    const daysAgo = (days: number) => new Date(catalog.clock.now().getTime() - days * 86_400_000).toISOString()
    await catalog.selectRows(`update catalog.past_start set complete_since = '${daysAgo(500)}'`)
    await catalog.selectRows(`
      insert into catalog.cve_past (cve_key, until_seq, until_at, members)
      values (1, 1, '${daysAgo(401)}', '{}'), (1, 2, '${daysAgo(399)}', '{}')
    `)
    await deleteExpiredChanges(catalog.context, [])
    expect(await catalog.selectRows('select until_seq from catalog.cve_past')).toEqual([{ until_seq: '2' }])
    const [start] = await catalog.selectRows<{ since: Date }>('select complete_since as since from catalog.past_start')
    expect(start?.since.toISOString()).toBe(daysAgo(400))
  })

  it('deletes the scores that releases moved after 30 days, and records up to where', async () => {
    const daysAgo = (days: number) => new Date(catalog.clock.now().getTime() - days * 86_400_000).toISOString()
    await catalog.selectRows(`
      insert into catalog.change_time (seq, at)
      values (5, '${daysAgo(31)}'), (6, '${daysAgo(29)}'), (7, '${daysAgo(0)}')
    `)
    await catalog.selectRows('insert into catalog.epss_moved (seq, cve_key) values (4, 1), (5, 1), (5, 2), (6, 1)')
    await deleteExpiredChanges(catalog.context, [])
    expect(await catalog.selectRows('select seq from catalog.epss_moved')).toEqual([{ seq: '6' }])
    expect(await catalog.selectRows('select details_seq from catalog.change_floor')).toEqual([{ details_seq: '5' }])
  })
})
