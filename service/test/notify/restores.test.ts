import { beforeEach, describe, expect, it } from 'vitest'
import { nvdRating, nvdRecord } from '../catalog/source-fixtures.ts'
import { createWatchHarness } from './watch-harness.ts'

const harness = await createWatchHarness()
const ID = 'CVE-2026-1000'
const HIGH = { metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] } }
let account = 0

beforeEach(async () => {
  await harness.reset()
  await harness.resetWatches()
  account = await harness.createAccount()
  await publish('CVE-2026-9000')
  await harness.judge()
})

async function publish(id: string, changes: object = {}): Promise<void> {
  await harness.storeRecord('nvd', id, nvdRecord(id, { ...changes }))
  await harness.publish()
}

describe('After a restore of the accounts database', () => {
  it('the changes since then give the same events, and none is missing', async () => {
    const watch = await harness.createWatch(account, 'severity_min=7', ['entered', 'left', 'score_changed'])
    await publish(ID)
    await harness.judge()
    const tables = ['evaluator', 'watch_span', 'inbox', 'news', 'event']
    const backup = await Promise.all(
      tables.map(async (table) => [table, await harness.selectRows(`select * from notify.${table}`)] as const),
    )
    await publish(ID, HIGH)
    await publish('CVE-2026-1001')
    await harness.judge()
    const told = await harness.readEvents()
    expect(told.map(({ subject }) => subject)).toEqual([ID, ID, 'CVE-2026-1001'])
    await harness.selectRows('truncate notify.evaluator, notify.watch_span, notify.inbox, notify.news, notify.event')
    for (const [table, rows] of backup)
      await harness.selectRows(
        `insert into notify.${table} select * from jsonb_populate_recordset(null::notify.${table}, '${JSON.stringify(rows)}')`,
      )
    expect((await harness.readEvents()).map(({ nr }) => nr)).toEqual([1])
    await publish('CVE-2026-1002')
    await harness.judge()
    // Ids are made from the watch, the change and the CVE, so these are the same events under the same ids.
    expect((await harness.readEvents()).slice(0, 3)).toEqual(told)
    expect((await harness.readEvents()).map(({ subject }) => subject)).toEqual([
      ID,
      ID,
      'CVE-2026-1001',
      'CVE-2026-1002',
    ])
    expect((await harness.readEvents()).every((event) => event.watch === watch)).toBe(true)
  })
})

describe('What cannot be judged', () => {
  it('is told to every watch after a restore of the catalog, and the watches go on', async () => {
    const watch = await harness.createWatch(account, 'severity_min=7')
    await publish(ID)
    await harness.judge()
    const [lost] = await harness.selectRows<{ seq: string }>('select max(seq) as seq from catalog.change')
    // The change is gone, and another one gets its number.
    await harness.selectRows(`delete from catalog.change where seq = ${lost?.seq}`)
    expect(await harness.judge()).toEqual(['gap', 'idle'])
    await harness.selectRows(`select setval(pg_get_serial_sequence('catalog.change', 'seq'), ${lost?.seq}, false)`)
    await publish(ID, { ...HIGH, vulnStatus: 'Modified' })
    await publish('CVE-2026-1001')
    await harness.judge()
    const told = (await harness.readEvents()).map(({ type, subject }) => `${type} ${subject}`)
    expect(told).toEqual([`matched ${ID}`, 'gap null', 'matched CVE-2026-1001'])
    const [, gap] = await harness.readEvents()
    expect(gap).toMatchObject({
      watch,
      detail: { from: expect.stringMatching(`^${lost?.seq}:`), to: expect.any(String) },
    })
  })

  it('is told if the log no longer has what was before the changes', async () => {
    await harness.createWatch(account, 'severity_min=7')
    await publish(ID)
    await harness.selectRows('update catalog.change_floor set details_seq = (select max(seq) from catalog.change)')
    expect(await harness.judge()).toEqual(['gap', 'idle'])
    expect((await harness.readEvents()).map(({ type }) => type)).toEqual(['gap'])
    await harness.selectRows('update catalog.change_floor set details_seq = 0')
  })
})
