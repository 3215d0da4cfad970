import { expect, it } from 'vitest'
import { parseCveId } from '../../src/domain/cve-id.ts'
import { evidenceStore } from '../../src/feeds/evidence-feed.ts'
import { type Feed, isRejected } from '../../src/feeds/feed.ts'
import { nucleiFeed } from '../../src/feeds/sources/nuclei/feed.ts'
import { createEvidenceHarness } from './sources/evidence-harness.ts'
import { writeTemporaryDirectory } from './temporary-files.ts'

const one = nucleiFeed({ url: 'https://templates.example/' })
/**
 * A second feed of exploit evidence. Its items have the same ids as those of the Nuclei feed, but CVE ids of 2023
 * instead of 2024.
 */
const other: Feed = {
  ...one,
  name: 'metasploit',
  store: evidenceStore('metasploit'),
  normalise: (raw, now) => {
    const row = one.normalise(raw, now)
    if (isRejected(row)) return row
    return { ...row, cveIds: row.cveIds.flatMap((each) => parseCveId(each.replace('2024', '2023')) ?? []) }
  },
}

function templates(count: number, name: string): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const id = `CVE-2024-${10_000 + index}`
    return JSON.stringify({ ID: id, Info: { Name: name }, file_path: `http/${id}.yaml` })
  })
  return `${lines.join('\n')}\n`
}

it('evidence feeds share their tables without changing the rows of other evidence feeds', async () => {
  const { importFiles, run, listStored, selectRows } = await createEvidenceHarness(one)
  const readOther = async (content: string) =>
    run(other, { from: await writeTemporaryDirectory({ 'cves.json': content }) })
  const readLinks = (feed: string) =>
    selectRows(`
      select named.item_id, named.cve_id
        from source.exploit_item_cve named
        join source.exploit_item item on item.feed = named.feed and item.id = named.item_id
       where named.feed = '${feed}' and item.removed_at is null
       order by named.item_id
    `)
  await importFiles({ 'cves.json': templates(60, 'Acme Portal login') })
  const before = { items: await listStored(), links: await readLinks('nuclei') }

  expect(await readOther(templates(60, 'Acme Portal login'))).toMatchObject({ written: 60, removed: 0, notices: [] })
  expect(await readOther(templates(59, 'Acme Portal upload'))).toMatchObject({ written: 59, removed: 1, unchanged: 0 })
  expect(await readOther(templates(58, 'Acme Portal upload'))).toMatchObject({ written: 0, removed: 1, unchanged: 58 })

  expect({ items: await listStored(), links: await readLinks('nuclei') }).toEqual(before)
  expect(await readLinks('metasploit')).toHaveLength(58)
  const queued = 'select distinct feed, left(cve_id, 8) as year from source.publication_queue order by feed'
  expect(await selectRows(queued)).toEqual([
    { feed: 'metasploit', year: 'CVE-2023' },
    { feed: 'nuclei', year: 'CVE-2024' },
  ])
  expect(await importFiles({ 'cves.json': templates(60, 'Acme Portal login') })).toMatchObject({
    written: 0,
    removed: 0,
    unchanged: 60,
  })
})

it('evidence feeds record when they first see an item, except for items in their first load', async () => {
  const { importFiles, selectRows } = await createEvidenceHarness(one)
  const importOn = (day: string, count: number, name = 'Acme Portal login') =>
    importFiles({ 'cves.json': templates(count, name) }, { clock: () => new Date(`${day}T12:00:00Z`) })
  const readFirstSeen = () =>
    selectRows('select id, first_seen from source.exploit_item where first_seen is not null order by id')
  const firstSeen = [{ id: 'CVE-2024-10060', first_seen: new Date('2026-08-02T12:00:00Z') }]

  await importOn('2026-08-01', 60)
  expect(await readFirstSeen()).toEqual([])
  await importOn('2026-08-02', 61)
  expect(await readFirstSeen()).toEqual(firstSeen)
  await importOn('2026-08-03', 61, 'Acme Portal upload')
  expect(await readFirstSeen(), 'after a change').toEqual(firstSeen)
  await importOn('2026-08-04', 60)
  await importOn('2026-08-05', 61)
  expect(await readFirstSeen(), 'after removal and return').toEqual(firstSeen)
})
