import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { SORTS } from '../../../src/api/cve-record/sort.ts'
import { publish } from '../../../src/catalog/publish/publish.ts'
import { openSession } from '../../../src/database/session.ts'
import { account, aKey } from '../../support/builders.ts'
import { walkPages } from '../../support/catalog/page-through.ts'
import { wholeCatalog } from '../../support/catalog/whole-catalog.ts'
import { atEnd } from '../../support/cleanup.ts'
import { PATIENT, testService } from '../../support/service.ts'
import { sharedData } from '../../support/shared-data.ts'

const folder = sharedData('walks through the whole catalog')

async function openWorld(data: string) {
  const url = await wholeCatalog(data)
  const service = await testService({ environment: { ...PATIENT, DATABASE_URL: url } })
  const client = new Client({ connectionString: url })
  await client.connect()
  const session = openSession(url, 'publisher')
  atEnd(async () => {
    await session.close()
    await client.end()
  })
  const ample = aKey()
  await service.given(account('enterprise').withQuota(5_000_000).withKey(ample))
  const api = { ...service.api, get: (path: string) => service.api.get(path, { key: ample.key }) }
  const ids = async (statement: string) => (await client.query<{ id: string }>(statement)).rows.map((row) => row.id)
  // To the end of the day that the data is of.
  service.clock.advance({ hours: 24 })
  return { api, client, session, ids, clock: service.clock }
}

/** How a sort is promised, written down once more: ties by id in its direction, what has no value comes last. */
function inOrder(sort: string): string {
  const [by = '', direction = ''] = sort.split('_')
  const column = { severity: 'cve.score', published: 'published', modified: 'modified', epss: 'epss.score' }[by]
  return `select catalog.cve_id(cve_key) as id from catalog.cve join catalog.epss using (cve_key)
           order by ${column} ${direction} nulls last, cve_key ${direction}`
}

describe.skipIf(folder === undefined)('A walk through the whole catalog', { timeout: 3_600_000 }, () => {
  it('meets each CVE exactly once and in order, by each of the eight sorts', async () => {
    const { api, ids } = await openWorld(folder ?? '')
    for (const sort of SORTS) {
      const startedAt = performance.now()
      const walked = await walkPages(api, '/api/v1/cves', `sort=${sort}&limit=100&fields=cve_id`)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      process.stdout.write(`${sort}: ${walked.ids.length} CVEs on ${walked.pages.length} pages in ${seconds} s\n`)
      const expected = await ids(inOrder(sort))
      expect(walked.ids.length).toBe(expected.length)
      expect(walked.ids.findIndex((id, at) => id !== expected[at])).toBe(-1)
    }
  })

  it.each(['published_desc', 'published_asc', 'modified_desc', 'modified_asc'])(
    'by %s, while a publisher changes one in a hundred, loses none of the others and meets none twice',
    walkWhilePublishing,
  )
})

async function walkWhilePublishing(sort: string): Promise<void> {
  const { api, client, session, ids, clock } = await openWorld(folder ?? '')
  const chosen = await ids(ONE_IN_A_HUNDRED)
  const changed = new Set(chosen)
  const others = (await ids('select catalog.cve_id(cve_key) as id from catalog.cve')).filter((id) => !changed.has(id))
  const over = new AbortController()
  const walking = walkPages(api, '/api/v1/cves', `sort=${sort}&limit=100&fields=cve_id`).finally(() => over.abort())
  let published = 0
  for (let at = 0; at < chosen.length && !over.signal.aborted; at += 20) {
    clock.advance({ seconds: 1 })
    await change(client, chosen.slice(at, at + 20), clock.now())
    published += (await publish({ session, clock: clock.now, signal: new AbortController().signal })).changed
  }
  const walked = (await walking).ids.filter((id) => !changed.has(id))
  process.stdout.write(`${sort}: ${walked.length} others met while ${published} were changed\n`)
  expect(published).toBeGreaterThan(100)
  const met = new Set(walked)
  expect(met.size).toBe(walked.length)
  expect(others.filter((id) => !met.has(id))).toEqual([])
}

const ONE_IN_A_HUNDRED = `
  select cve_id as id from source.source_record
   where source = 'nvd' and hashtext(cve_id) % 100 = 7
   order by hashtext(cve_id)
`

async function change(client: Client, ids: readonly string[], now: Date): Promise<void> {
  await client.query('begin')
  await client.query(
    `update source.source_record
        set record = replace(record, '"vulnStatus":"', '"vulnStatus":"Again '),
            modified = $2::timestamptz,
            content_hash = sha256(convert_to(cve_id || ($2::timestamptz)::text, 'UTF8'))
      where source = 'nvd' and cve_id = any ($1)`,
    [ids, now],
  )
  await client.query(`insert into source.publication_queue (cve_id, feed) select unnest($1::text[]), 'nvd'`, [ids])
  await client.query('commit')
}
