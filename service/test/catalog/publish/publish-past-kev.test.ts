import { beforeEach, describe, expect, it } from 'vitest'
import { buildCatalog, buildEntry, createKevHarness } from '../../feeds/sources/kev/fixtures.ts'
import { deltaLine, fullLine, importHistory } from '../../feeds/sources/kev/history-fixtures.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const feeds = await createKevHarness()
const catalog = await createCatalogHarness(feeds.url)
const [KEPT, GONE, BACK] = ['CVE-2024-0001', 'CVE-2024-0002', 'CVE-2024-0003']
const kept = { ...buildEntry(KEPT), dueDate: '2026-09-09' }

beforeEach(async () => {
  await catalog.reset()
  await feeds.reset()
})

/** The file ends with the catalog release that the feed kev has read (fixtures.ts). */
const LINES = [
  fullLine('2026-05-01', [buildEntry(KEPT), buildEntry(GONE), buildEntry(BACK)]),
  deltaLine('2026-05-02', 2, { changed: [{ cveID: KEPT, now: { dueDate: '2026-09-09' } }], removed: [BACK] }),
  deltaLine('2026-05-03', 2, { added: [buildEntry(BACK, { notes: 'Listed again.' })], removed: [GONE] }),
  deltaLine('2026-08-20', 2, {}),
]

async function readHistory() {
  const [start] = await catalog.selectRows<{ since: Date | null }>('select kev_since as since from catalog.past_start')
  return {
    since: start?.since?.toISOString(),
    entries: await catalog.selectRows(`
      select catalog.cve_id(cve_key) as id, removed_at::date::text as removed from catalog.kev_history order by cve_key
    `),
    changes: await catalog.selectRows(`
      select catalog.cve_id(cve_key) as id, at::date::text as day, type, diff from catalog.kev_change order by cve_key, at
    `),
  }
}

describe('Publisher: earlier KEV releases', () => {
  it('adds removed entries and earlier changes, whether they are imported before or after the catalog', async () => {
    await importHistory(feeds, LINES)
    await catalog.publish()
    expect((await readHistory()).changes).toEqual([])

    await feeds.importCatalog(buildCatalog([kept, buildEntry(BACK, { notes: 'Listed again.' })]))
    await catalog.publish()
    const history = await readHistory()
    expect(history).toEqual({
      since: '2026-05-01T15:00:00.000Z',
      entries: [
        { id: KEPT, removed: null },
        { id: GONE, removed: '2026-05-03' },
        { id: BACK, removed: null },
      ],
      changes: [
        { id: KEPT, day: '2026-05-02', type: 'changed', diff: { dueDate: { old: '2026-09-02', new: '2026-09-09' } } },
        { id: GONE, day: '2026-05-03', type: 'removed', diff: {} },
        { id: BACK, day: '2026-05-02', type: 'removed', diff: {} },
        {
          id: BACK,
          day: '2026-05-03',
          type: 'returned',
          diff: { notes: { old: 'https://halvorsen.example/advisories/1', new: 'Listed again.' } },
        },
      ],
    })

    await importHistory(feeds, LINES)
    await catalog.selectRows('update source.kev_past_entry set is_published = false')
    await catalog.publish()
    expect(await readHistory()).toEqual(history)
  })

  it('keeps the start of the history if releases are missing between the file and the first catalog', async () => {
    await feeds.importCatalog(buildCatalog([kept]))
    await catalog.publish()
    const { since } = await readHistory()
    await importHistory(feeds, LINES.slice(0, 3))
    await catalog.publish()
    const history = await readHistory()
    expect(history.since).toBe(since)
    expect(history.entries).toEqual([
      { id: KEPT, removed: null },
      { id: GONE, removed: '2026-05-03' },
    ])
  })

  it('leaves changes after the first catalog to the publisher, which dates them itself', async () => {
    await feeds.importCatalog(buildCatalog([kept]))
    await catalog.publish()
    await importHistory(feeds, [fullLine('2026-05-01', [kept]), fullLine('2026-08-21', [{ ...kept, notes: 'Later.' }])])
    await catalog.publish()
    expect(await readHistory()).toMatchObject({ since: '2026-05-01T15:00:00.000Z', changes: [] })
  })
})
