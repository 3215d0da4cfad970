import { beforeEach, describe, expect, it } from 'vitest'
import { deleteExpiredChanges } from '../../../src/catalog/changes/retention.ts'
import { makeScheduledSnapshot, makeSnapshot } from '../../../src/catalog/snapshot/make.ts'
import { findLastHour, isSnapshotDue, makeDueSnapshot } from '../../../src/catalog/snapshot/schedule.ts'
import { readNewestSnapshot, readSnapshotPositions } from '../../../src/catalog/snapshot/status.ts'
import { EVERY_CHANGE } from '../../../src/record/change-log/filter.ts'
import { toPosition } from '../../../src/record/change-log/position-text.ts'
import { readPage } from '../../../src/record/change-log/read-log.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const HOUR = 2
const catalog = await createCatalogHarness()
const { db } = catalog.context.session

/** Numbers in a range of the change log, which is dropped as a whole. */
const WIDTH = 250_000
/** The range before the first one of a test. */
let lastRange = 0

beforeEach(async () => {
  const [sequence] = await catalog.selectRows<{ last: string }>('select last_value as last from catalog.change_seq_seq')
  lastRange = Math.floor(Number(sequence?.last) / WIDTH)
  await catalog.selectRows('truncate catalog.snapshot, catalog.snapshot_part, catalog.change')
  await catalog.selectRows('update catalog.change_floor set data_seq = 0, complete_seq = 0')
})

const makeOnNextDay = async () => {
  catalog.clock.advance({ days: 1 })
  await makeDueSnapshot(catalog.context, HOUR)
  await deleteExpiredChanges(catalog.context, await readSnapshotPositions(db))
}

/** Writes changes so old that a row is kept only if something still needs it, each into a range of its own. */
async function logOldChanges(count: number): Promise<void> {
  for (let change = 0; change < count; change += 1)
    await catalog.selectRows(`
      select setval('catalog.change_seq_seq', (last_value / ${WIDTH} + 1) * ${WIDTH}, false) from catalog.change_seq_seq;
      select catalog.add_change_ranges(0);
      insert into catalog.change (kind, cause, at) values ('changed', 'data', '2020-01-01')`)
}

const toRange = (seq: number) => seq / WIDTH - lastRange

/** The ranges of the rows, counted from 1. */
const readRanges = async (table: string) =>
  (await catalog.selectRows<{ seq: string }>(`select seq from ${table} order by seq`)).map(({ seq }) =>
    toRange(Number(seq)),
  )

describe('The snapshot schedule', () => {
  it('finds the last time when the clock showed the given hour', () => {
    const find = (now: string) => findLastHour(new Date(now), HOUR).toISOString().slice(0, 16)
    expect(find('2026-03-01T01:59:59Z')).toBe('2026-02-28T02:00')
    expect(find('2026-03-01T02:00:00Z')).toBe('2026-03-01T02:00')
    expect(find('2026-03-01T23:59:59Z')).toBe('2026-03-01T02:00')
  })

  it('makes the first snapshot when the first load is published, and then one a day', async () => {
    const isDue = () => isSnapshotDue(db, catalog.clock.now(), HOUR)
    expect(await isDue()).toBe(false)
    await catalog.storeRecord('nvd', 'CVE-2024-0001', nvdRecord('CVE-2024-0001', {}))
    expect(await isDue()).toBe(false)
    await catalog.publish()
    expect(await isDue()).toBe(true)
    await makeDueSnapshot(catalog.context, HOUR)
    const first = await readNewestSnapshot(db)
    expect(first).toMatchObject({ createdAt: catalog.clock.now(), records: 1 })
    await makeDueSnapshot(catalog.context, HOUR)
    expect(await readNewestSnapshot(db)).toEqual(first)
    await makeOnNextDay()
    expect(await readNewestSnapshot(db)).toMatchObject({ createdAt: catalog.clock.now() })
  })

  it('makes one snapshot for a scheduled time, and as many as an operator asks for', async () => {
    const scheduledFor = findLastHour(catalog.clock.now(), HOUR)
    const made = [
      await makeScheduledSnapshot(catalog.context, scheduledFor),
      await makeScheduledSnapshot(catalog.context, scheduledFor),
      await makeSnapshot(catalog.context),
    ]
    const kept = await catalog.selectRows<{ id: string }>('select id from catalog.snapshot order by scheduled_for')

    expect(made[1]).toBeUndefined()
    expect(kept.map(({ id }) => id)).toEqual([made[0]?.id, made[2]?.id])
  })

  it('deletes old changes that no kept snapshot needs, and no others', async () => {
    await logOldChanges(3)
    await makeOnNextDay()
    // A reader of the snapshot sends the position of the row in range 3, and its tag is compared.
    expect(await readRanges('catalog.change')).toEqual([3])
    await logOldChanges(2)
    await makeOnNextDay()
    await logOldChanges(1)
    await makeOnNextDay()
    expect([await readRanges('catalog.snapshot'), await readRanges('catalog.change')]).toEqual([
      [3, 5, 6],
      [3, 4, 5, 6],
    ])
    await expectReadable([3, 5, 6])
    await makeOnNextDay()
    expect([await readRanges('catalog.snapshot'), await readRanges('catalog.change')]).toEqual([
      [5, 6, 6],
      [5, 6],
    ])
    await expectReadable([5, 6])
  })
})

/** Checks that the change log can list every change after the position of each kept snapshot. */
async function expectReadable(expected: readonly number[]): Promise<void> {
  const positions = await catalog.selectRows<{ since: string }>(
    "select distinct seq, seq || ':' || lpad(to_hex(tag), 16, '0') as since from catalog.snapshot order by seq",
  )
  expect(positions).toHaveLength(expected.length)
  const all = await readRanges('catalog.change')
  for (const [index, { since }] of positions.entries()) {
    const { rows } = await readPage(db, toPosition(since), EVERY_CHANGE, 100)
    expect(rows.map(({ seq }) => toRange(seq))).toEqual(all.filter((seq) => seq > (expected[index] ?? 0)))
  }
}
