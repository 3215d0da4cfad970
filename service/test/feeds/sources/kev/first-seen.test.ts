import { beforeEach, describe, expect, it } from 'vitest'
import { euKevFeed } from '../../../../src/feeds/sources/eukev/feed.ts'
import { buildEuKevEntry } from '../eukev/fixtures.ts'
import { buildCatalog, buildEntry, createKevHarness } from './fixtures.ts'

const { importFiles, importCatalog, selectRows, reset } = await createKevHarness()
beforeEach(reset)

const at = (day: number) => new Date(`2026-08-${String(day).padStart(2, '0')}T12:00:00Z`)
const id = (number: number) => `CVE-2024-000${number}`

/** Imports a catalog with these entries on a given day in August 2026. */
const FEEDS = {
  kev_entry: (day: number, numbers: readonly number[], changed = {}) =>
    importCatalog(
      buildCatalog(
        numbers.map((number) => buildEntry(id(number), changed)),
        { dateReleased: at(day).toISOString() },
      ),
      { clock: () => at(day) },
    ),
  eu_kev_entry: (day: number, numbers: readonly number[], changed = {}) => {
    const entries = numbers.map((number) => buildEuKevEntry(id(number), changed))
    const files = { 'eukev.json': JSON.stringify(entries) }
    return importFiles(euKevFeed({ url: 'https://eukev.example/' }), files, { clock: () => at(day) })
  },
}

describe.each(['kev_entry', 'eu_kev_entry'] as const)('First-seen times in source.%s', (table) => {
  const importOn = FEEDS[table]
  const read = async () =>
    (
      await selectRows<{ added: Date | null; removed: Date | null }>(
        `select first_seen as added, removal_first_seen as removed from source.${table} order by cve_id`,
      )
    ).map(({ added, removed }) => [added, removed])

  it('are null for the entries in the first load and set for later entries', async () => {
    await importOn(10, [1, 2])
    expect(await read()).toEqual([
      [null, null],
      [null, null],
    ])
    await importOn(20, [1, 2, 3])
    await importOn(21, [1, 2, 3], { vendorProject: 'Halvorsen Mail' })
    expect(await read(), 'after a change of the entries').toEqual([
      [null, null],
      [null, null],
      [at(20), null],
    ])
  })

  it('are the time of the import for a removal and for a returning entry', async () => {
    await importOn(10, [1, 2])
    await importOn(11, [1])
    await importOn(12, [1])
    expect(await read()).toEqual([
      [null, null],
      [null, at(11)],
    ])
    await importOn(13, [1, 2])
    await importOn(14, [1, 2])
    expect(await read()).toEqual([
      [null, null],
      [at(13), at(11)],
    ])
    await importOn(15, [1])
    expect(await read()).toEqual([
      [null, null],
      [at(13), at(15)],
    ])
  })
})
