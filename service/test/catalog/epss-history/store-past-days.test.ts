import { beforeEach, describe, expect, it } from 'vitest'
import { decodeMonth } from '../../../src/domain/epss-series/codec.ts'
import { addDays } from '../../../src/domain/epss-series/days.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'

async function storePastDay(day: string, score: number, percentile: number | null): Promise<void> {
  await catalog.selectRows(`
    insert into source.epss_past_day (day, model_version, score_count, cve_ids, scores, percentiles)
    values ('${day}', null, 1, '{${ID}}', '{${score}}', ${percentile === null ? 'null' : `'{${percentile}}'`})
  `)
}

async function readStored(): Promise<Record<string, unknown>> {
  const rows = await catalog.selectRows<{ month: string; scores: Buffer; percentiles: Buffer }>(
    'select month::text, scores, percentiles from catalog.epss_series order by 1',
  )
  const days = rows.flatMap(({ month, ...encoded }) =>
    decodeMonth(encoded).flatMap((day, index) => (day ? [[addDays(month, index), [day.score, day.percentile]]] : [])),
  )
  return Object.fromEntries(days)
}

const readDays = () =>
  catalog.selectRows('select day::text, model_version as model, feed from catalog.epss_day order by 1')

describe('Publisher: days from the feed epss-history', () => {
  it('are added to the score history and then removed from the source', async () => {
    await storePastDay('2021-04-30', 4300, null)
    await storePastDay('2021-05-01', 4400, null)
    await storePastDay('2021-05-03', 4500, 99_000)
    await catalog.publish()
    expect(await readStored()).toEqual({
      '2021-04-30': [4300, null],
      '2021-05-01': [4400, null],
      '2021-05-03': [4500, 99_000],
    })
    expect(await readDays()).toHaveLength(3)
    expect(await catalog.selectRows('select from source.epss_past_day where cve_ids is not null')).toEqual([])
  })

  it('replace a day from the feed epss only if they differ', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    for (const day of ['2026-08-18', '2026-08-19', '2026-08-20']) {
      await catalog.storeEpss(`${day}T12:00:00Z`, { [ID]: 0.1 })
      await catalog.publish()
    }
    await storePastDay('2026-08-18', 10_000, 10_000)
    await storePastDay('2026-08-19', 20_000, 10_000)
    await catalog.publish()
    expect(await readStored()).toMatchObject({ '2026-08-18': [10_000, 10_000], '2026-08-19': [20_000, 10_000] })
    expect(await readDays()).toEqual([
      { day: '2026-08-18', model: 'v2026.06.15', feed: 'epss' },
      { day: '2026-08-19', model: 'v2026.06.15', feed: 'epss-history' },
      { day: '2026-08-20', model: 'v2026.06.15', feed: 'epss' },
    ])
    // The corrected day is the one before the newest release.
    expect(await catalog.selectRows('select days, old_score as old from catalog.epss_mover')).toEqual([
      { days: 1, old: 20_000 },
    ])
  })
})
