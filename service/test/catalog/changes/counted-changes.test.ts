// The changes that /stats/series counts, as the publisher logs them.
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteExpiredChanges } from '../../../src/catalog/changes/retention.ts'
import type { EventMetricName } from '../../../src/domain/series/metrics.ts'
import { countSeries } from '../../../src/search/series/count-series.ts'
import { getEventMetric } from '../../../src/search/series/metrics.ts'
import { readLevels } from '../../../src/search/series/read-levels.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const { db } = catalog.context.session

const [LISTED_LATER, LISTED_FIRST, EXPLOITED_FIRST, WITHDRAWN] = [
  'CVE-2026-0001',
  'CVE-2026-0002',
  'CVE-2026-0003',
  'CVE-2026-0004',
]

/** Dates all changes since the last call, which PostgreSQL dated by its own clock. */
async function dateChanges(time: string): Promise<void> {
  await catalog.selectRows(`update catalog.change set at = '${time}' where at > '2026-08-31'`)
  await catalog.selectRows(`update catalog.change_time set at = '${time}' where at > '2026-08-31'`)
}

async function publishAt(time: string): Promise<void> {
  await catalog.publish()
  await dateChanges(time)
}

const store = (id: string) => catalog.storeRecord('nvd', id, nvdRecord(id))

const DAYS = ['2026-08-01', '2026-08-02', '2026-08-03', '2026-08-04'].map((day) => ({ from: day, to: day }))

async function count(name: EventMetricName, by?: 'priority') {
  const query = { metric: getEventMetric(name), buckets: DAYS, productVendor: undefined }
  const { completeSince, buckets } = await countSeries(db, query, by)
  return { completeSince, counts: buckets.map((bucket) => bucket.count), values: buckets.map(({ values }) => values) }
}

describe('Counted changes', () => {
  beforeAll(async () => {
    await dateChanges('2026-08-01T12:00:00Z')
    await store(LISTED_LATER)
    await publishAt('2026-08-01T13:00:00Z')
    // The next changes are in another range of the log, so that those of this day can expire alone.
    await catalog.selectRows("select setval('catalog.change_seq_seq', 250000, false)")
    await store(LISTED_FIRST)
    await store(EXPLOITED_FIRST)
    await store(WITHDRAWN)
    await catalog.storeExploit('exploitdb', '1', [EXPLOITED_FIRST])
    await catalog.storeKev([{ cveId: LISTED_FIRST, knownRansomware: true }, { cveId: WITHDRAWN }])
    await publishAt('2026-08-02T23:59:59Z')
    await catalog.storeExploit('exploitdb', '2', [LISTED_LATER])
    // WITHDRAWN is no longer listed.
    await catalog.storeKev([{ cveId: LISTED_FIRST, knownRansomware: true }, { cveId: LISTED_LATER }])
    await publishAt('2026-08-03T00:00:00Z')
  })

  it('counts a CVE that became urgent or was published as urgent, by the level that it reached', async () => {
    const { completeSince, counts, values } = await count('became_urgent', 'priority')
    expect(completeSince).toBe('2026-08-01T12:00:00Z')
    expect(counts).toEqual([null, 2, 1, 0])
    expect(values[1]?.map((each) => each.count)).toEqual([2, 0])
  })

  it('counts the first evidence of an exploit, also that of a new CVE', async () => {
    expect((await count('exploit_added')).counts).toEqual([null, 1, 1, 0])
  })

  it('does not count an entry that CISA removed', async () => {
    const query = { metric: getEventMetric('kev_added'), buckets: [{ from: '2021-01-01', to: '2026-08-31' }] }
    const [row] = await catalog.selectRows<{ count: number }>('select count(*)::integer as count from catalog.kev')
    expect(row?.count).toBe(2)
    const { buckets } = await countSeries(db, { ...query, productVendor: undefined }, 'catalog')
    expect(buckets[0]?.count ?? null).toBeNull()
    const [first] = await catalog.selectRows<{ day: string }>('select min(date_added)::text as day from catalog.kev')
    const known = { ...query, buckets: [{ from: first?.day ?? '', to: '2026-08-31' }], productVendor: undefined }
    expect((await countSeries(db, known)).buckets[0]?.count).toBe(2)
  })

  it.each(['rules', 'reload', 'epss_model'])('does not count changes with the cause %s', async (cause) => {
    await catalog.selectRows(`
      insert into catalog.change (cve_key, kind, types, cause, at)
      select cve_key, kind, types, '${cause}', '2026-08-04T12:00:00Z' from catalog.change where types && '{became_urgent}'`)
    expect((await count('became_urgent')).counts).toEqual([null, 2, 1, 0])
    await catalog.selectRows(`delete from catalog.change where cause = '${cause}'`)
  })

  it('keeps the number of unrated CVEs at the end of each day with a publication', async () => {
    await catalog.selectRows('delete from catalog.unrated_day')
    await catalog.selectRows("insert into catalog.unrated_day values ('2026-08-02', 7)")
    expect(await readLevels(db, 'unrated', DAYS)).toEqual({
      completeSince: '2026-08-02T00:00:00Z',
      buckets: DAYS.map((day, index) => ({ ...day, count: index === 0 ? null : 7 })),
    })
    await catalog.selectRows('update catalog.cve set priority = null')
    await catalog.publish()
    expect(await catalog.selectRows('select day::text, cves from catalog.unrated_day order by day')).toEqual([
      { day: '2026-08-02', cves: 7 },
      { day: '2026-08-22', cves: 0 },
    ])
  })

  it('knows fewer days once old changes are deleted, and has no count for the others', async () => {
    const [newest] = await catalog.selectRows<{ seq: string }>('select max(seq) as seq from catalog.change')
    await catalog.selectRows("update catalog.change set at = at - interval '400 days' where at < '2026-08-02'")
    catalog.clock.advance({ hours: 24 })
    expect(await deleteExpiredChanges(catalog.context, [BigInt(newest?.seq ?? 0)])).toBe(1)
    const { completeSince, counts } = await count('became_urgent')
    expect([completeSince, counts]).toEqual(['2026-08-01T13:00:00Z', [null, 2, 1, 0]])
  })
})

describe('Random changes', () => {
  it('are counted as a loop over all rows counts them', async () => {
    await catalog.reset()
    await catalog.selectRows('update catalog.change_floor set data_seq = 0, complete_seq = 0')
    await catalog.selectRows("update catalog.change_time set at = '2026-01-01'")
    await catalog.selectRows(`
      insert into catalog.change (cve_key, kind, types, cause, at, diff)
      select number, 'changed',
             (array['{became_urgent}', '{exploit_added,became_urgent}', '{updated}', '{exploit_added}'])[1 + (random() * 3)::integer]::text[],
             (array['data', 'data', 'rules'])[1 + (random() * 2)::integer],
             date_trunc('second', '2026-06-01'::timestamptz + random() * interval '80 days'),
             jsonb_build_object('priority.level', jsonb_build_object('new', (array['P0', 'P1'])[1 + (random())::integer]))
        from generate_series(1, 2000) number`)
    const rows = await catalog.selectRows<{ types: string[]; cause: string; day: string; level: string }>(
      "select types, cause, to_char(at at time zone 'utc', 'YYYY-MM-DD') as day, diff -> 'priority.level' ->> 'new' as level from catalog.change",
    )
    const buckets = [
      { from: '2026-06-03', to: '2026-06-07' },
      { from: '2026-06-08', to: '2026-06-14' },
      { from: '2026-06-15', to: '2026-08-02' },
      { from: '2026-08-03', to: '2026-08-03' },
    ]
    for (const name of ['became_urgent', 'exploit_added'] as const) {
      const expected = buckets.map(({ from, to }) =>
        rows.filter((row) => row.cause === 'data' && row.types.includes(name) && from <= row.day && row.day <= to),
      )
      const query = { metric: getEventMetric(name), buckets, productVendor: undefined }
      const { buckets: counted } = await countSeries(db, query, 'priority')
      expect(counted.map((each) => each.count)).toEqual(expected.map((each) => each.length))
      if (name === 'became_urgent')
        expect(counted.map(({ values }) => values?.map((each) => each.count))).toEqual(
          expected.map((each) => ['P0', 'P1'].map((level) => each.filter((row) => row.level === level).length)),
        )
    }
  })
})
