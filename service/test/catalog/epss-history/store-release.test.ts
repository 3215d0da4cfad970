import { beforeEach, describe, expect, it } from 'vitest'
import { decodeMonth, fromUnits } from '../../../src/domain/epss-series/codec.ts'
import { addDays } from '../../../src/domain/epss-series/days.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const [ID, OTHER] = ['CVE-2026-1000', 'CVE-2026-1001']

async function publishDay(day: string, scores: Readonly<Record<string, number>>, model?: string): Promise<void> {
  await catalog.storeEpss(`${day}T12:00:00Z`, scores, model)
  await catalog.publish()
}

/** Reads all stored scores as `day score`, by CVE. */
async function readStored(): Promise<Record<string, string[]>> {
  const rows = await catalog.selectRows<{ id: string; month: string; scores: Buffer; percentiles: Buffer }>(
    'select catalog.cve_id(cve_key) as id, month::text, scores, percentiles from catalog.epss_series order by 1, 2',
  )
  const stored: Record<string, string[]> = {}
  for (const { id, month, ...encoded } of rows)
    for (const [index, day] of decodeMonth(encoded).entries())
      if (day) stored[id] = [...(stored[id] ?? []), `${addDays(month, index)} ${fromUnits(day.score)}`]
  return stored
}

const readDays = () =>
  catalog.selectRows('select day::text, model_version as model, score_count as count from catalog.epss_day order by 1')

describe('Publisher: history of EPSS scores', () => {
  it('keeps the scores of every day across months, even for CVEs without a record', async () => {
    await publishDay('2026-07-30', { [ID]: 0.1, [OTHER]: 0.5 })
    await publishDay('2026-07-31', { [ID]: 0.1 })
    await publishDay('2026-08-03', { [ID]: 0.12345, [OTHER]: 0.4 }, 'v5')
    expect(await readStored()).toEqual({
      [ID]: ['2026-07-30 0.1', '2026-07-31 0.1', '2026-08-03 0.12345'],
      [OTHER]: ['2026-07-30 0.5', '2026-08-03 0.4'],
    })
    expect(await readDays()).toMatchObject([
      { day: '2026-07-30', count: 2 },
      { day: '2026-07-31', count: 1 },
      { day: '2026-08-03', model: 'v5', count: 2 },
    ])
  })

  it('replaces the day of a corrected release, and inserts a late release at its date', async () => {
    await publishDay('2026-08-10', { [ID]: 0.1, [OTHER]: 0.5 })
    await publishDay('2026-08-12', { [ID]: 0.3 })
    await publishDay('2026-08-11', { [ID]: 0.2 })
    await publishDay('2026-08-10', { [ID]: 0.15 })
    expect(await readStored()).toEqual({ [ID]: ['2026-08-10 0.15', '2026-08-11 0.2', '2026-08-12 0.3'] })
    expect(await readDays()).toHaveLength(3)
  })
})

describe('Publisher: past months of EPSS scores', () => {
  it('are rewritten without free space at the first release of the next month', async () => {
    const readFillfactors = () =>
      catalog.selectRows<{ name: string; options: string[] }>(`
        select relname as name, reloptions as options from pg_class
         where relname in ('epss_series_2026_05', 'epss_series_2026_06') order by 1
      `)
    await publishDay('2026-05-31', { [ID]: 0.1 })
    expect(await readFillfactors()).toEqual([{ name: 'epss_series_2026_05', options: ['fillfactor=25'] }])
    await publishDay('2026-06-01', { [ID]: 0.2 })
    expect(await readFillfactors()).toEqual([
      { name: 'epss_series_2026_05', options: ['fillfactor=100'] },
      { name: 'epss_series_2026_06', options: ['fillfactor=25'] },
    ])
    expect(await readStored()).toEqual({ [ID]: ['2026-05-31 0.1', '2026-06-01 0.2'] })
  })
})

describe('Publisher: EPSS movers', () => {
  const readMovers = () =>
    catalog.selectRows(`
      select days, catalog.cve_id(cve_key) as id, old_score as old, new_score as new, old_day::text as day
        from catalog.epss_mover order by 1, 2
    `)

  it('compares the newest release with those 1, 7 and 30 days earlier', async () => {
    for (const id of [ID, OTHER]) await catalog.storeRecord('nvd', id, nvdRecord(id))
    await publishDay('2026-07-21', { [ID]: 0.5, [OTHER]: 0.2 })
    await publishDay('2026-08-13', { [ID]: 0.1, [OTHER]: 0.2 })
    await publishDay('2026-08-19', { [ID]: 0.3, [OTHER]: 0.2, 'CVE-2026-9999': 0.1 })
    await publishDay('2026-08-20', { [ID]: 0.3, [OTHER]: 0.1, 'CVE-2026-9999': 0.9 })
    expect(await readMovers()).toEqual([
      { days: 1, id: OTHER, old: 20_000, new: 10_000, day: '2026-08-19' },
      { days: 7, id: ID, old: 10_000, new: 30_000, day: '2026-08-13' },
      { days: 7, id: OTHER, old: 20_000, new: 10_000, day: '2026-08-13' },
      { days: 30, id: ID, old: 50_000, new: 30_000, day: '2026-07-21' },
      { days: 30, id: OTHER, old: 20_000, new: 10_000, day: '2026-07-21' },
    ])
  })

  it('includes the scores of a CVE added in the same publication', async () => {
    await publishDay('2026-08-13', { [ID]: 0.1 })
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await publishDay('2026-08-20', { [ID]: 0.3 })
    expect(await readMovers()).toContainEqual({ days: 7, id: ID, old: 10_000, new: 30_000, day: '2026-08-13' })
  })

  it('finds none on the first day of a new model', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await publishDay('2026-08-19', { [ID]: 0.3 })
    await publishDay('2026-08-20', { [ID]: 0.8 }, 'v5')
    expect(await readMovers()).toEqual([])
    expect(
      await catalog.selectRows('select days, is_comparable as c from catalog.epss_mover_window order by 1'),
    ).toEqual([
      { days: 1, c: false },
      { days: 7, c: true },
      { days: 30, c: true },
    ])
  })
})
