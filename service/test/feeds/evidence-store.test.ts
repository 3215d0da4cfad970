import { expect, it } from 'vitest'
import { parseCveId } from '../../src/domain/cve-id.ts'
import { evidenceStore } from '../../src/feeds/evidence-store.ts'
import { type Feed, isRejected } from '../../src/feeds/feed.ts'
import { nucleiFeed } from '../../src/feeds/nuclei/feed.ts'
import { evidenceMachine } from './evidence-machine.ts'
import { directoryWith } from './small-files.ts'

const one = nucleiFeed({ url: 'https://templates.example/' })
/** It calls its items as the first one does, and names other CVEs: those of the year before. */
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

it('Feeds of exploit evidence share their tables, and none touches what another says', async () => {
  const { read, run, stored, look } = await evidenceMachine(one)
  const readOther = async (content: string) => run(other, { from: await directoryWith({ 'cves.json': content }) })
  const namedBy = (feed: string) =>
    look(`select item_id, cve_id from source.exploit_item_cve where feed = '${feed}' order by item_id`)
  await read({ 'cves.json': templates(60, 'a teapot') })
  const before = { items: await stored(), named: await namedBy('nuclei') }

  expect(await readOther(templates(60, 'a teapot'))).toMatchObject({ written: 60, removed: 0, notices: [] })
  expect(await readOther(templates(59, 'a kettle'))).toMatchObject({ written: 59, removed: 1, unchanged: 0 })
  expect(await readOther(templates(58, 'a kettle'))).toMatchObject({ written: 0, removed: 1, unchanged: 58 })

  expect({ items: await stored(), named: await namedBy('nuclei') }).toEqual(before)
  expect(await namedBy('metasploit')).toHaveLength(58)
  const queued = 'select distinct feed, left(cve_id, 8) as year from source.publication_queue order by feed'
  expect(await look(queued)).toEqual([
    { feed: 'metasploit', year: 'CVE-2023' },
    { feed: 'nuclei', year: 'CVE-2024' },
  ])
  expect(await read({ 'cves.json': templates(60, 'a teapot') })).toMatchObject({
    written: 0,
    removed: 0,
    unchanged: 60,
  })
})
