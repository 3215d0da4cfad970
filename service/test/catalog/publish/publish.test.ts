import { beforeEach, describe, expect, it } from 'vitest'
import { formatInstant } from '../../../src/domain/instant.ts'
import { catalogWorld } from '../catalog-setup.ts'
import { configuration, cpe, nvdRating, nvdSaid } from '../source-fixtures.ts'

const world = await catalogWorld()
beforeEach(() => world.reset())

const ID = 'CVE-2026-1000'

async function document(cveId = ID): Promise<Record<string, unknown>> {
  const [row] = await world.look<Record<string, string>>(
    `select * from catalog.cve_document where cve_key = catalog.cve_key('${cveId}')`,
  )
  if (!row) throw new Error(`${cveId} is not published`)
  const { cve_key: _key, enriched_at, ...fragments } = row
  return {
    ...Object.fromEntries(Object.entries(fragments).map(([name, text]) => [name, JSON.parse(text)])),
    enriched_at,
  }
}

const changes = () =>
  world.look<{ id: string | null; kind: string; fields: string[] }>(
    'select catalog.cve_id(cve_key) as id, kind, fields from catalog.change order by seq',
  )
const keys = () => world.look<{ id: string }>('select catalog.cve_id(cve_key) as id from catalog.cve order by cve_key')

describe('What the sources say of a CVE', () => {
  it('is published as one record, and what waits for publication does not wait any more', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    expect(await world.publish()).toMatchObject({ added: 1, changed: 0, removed: 0 })
    expect(await document()).toMatchObject({
      description: 'The teapot pours before it is asked to.',
      severity: 7.5,
      status: 'Analyzed',
      source_tag: 'nvd',
      enrichment_status: 'enriched',
    })
    expect(await changes()).toMatchObject([{ id: ID, kind: 'added' }])
    expect(await world.look('select from source.publication_queue')).toEqual([])
  })

  it('writes nothing when it comes to the same again', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    const [before] = await world.look('select xmin, * from catalog.cve')
    await world.say('nvd', ID, nvdSaid(ID))
    expect(await world.publish()).toMatchObject({ added: 0, changed: 0, removed: 0 })
    expect(await world.look('select xmin, * from catalog.cve')).toEqual([before])
    expect(await changes()).toHaveLength(1)
  })

  it('is published again when it changes, and the log names the members that are different', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    const descriptions = [{ lang: 'en', value: 'The teapot pours twice.' }]
    await world.say('nvd', ID, nvdSaid(ID, { descriptions }), '2026-08-21T00:00:00Z')
    expect(await world.publish()).toMatchObject({ added: 0, changed: 1 })
    const [, second] = await changes()
    expect(second).toMatchObject({ id: ID, kind: 'changed', fields: ['modified', 'description'] })
    expect(await document()).toMatchObject({ description: 'The teapot pours twice.', modified: '2026-08-21T00:00:00Z' })
  })

  it('is enriched at the time when the enrichment last changed, not when something else did', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    const enrichedAt = world.clock.now()
    world.clock.advance({ hours: 1 })
    await world.say('nvd', ID, nvdSaid(ID, { descriptions: [{ lang: 'en', value: 'Other words.' }] }))
    await world.publish()
    expect((await document())['enriched_at']).toEqual(enrichedAt)
    world.clock.advance({ hours: 1 })
    await world.sayExploit('exploitdb', '42', [ID])
    await world.publish()
    expect((await document())['enriched_at']).toEqual(world.clock.now())
  })

  it('is found under the words of its description and of its id', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    const finds = async (query: string) =>
      (await world.look(`select from catalog.cve where words @@ catalog.search_query('${query}')`)).length
    expect([await finds('pouring'), await finds('2026-1000'), await finds('coffee')]).toEqual([1, 1, 0])
  })
})

describe('A CVE known only to KEV', () => {
  it('is a stub: pending, Received, without a description or a time of publication', async () => {
    await world.sayKev([{ cveId: ID }])
    await world.publish()
    expect(await document()).toMatchObject({
      source_tag: 'kev',
      status: 'Received',
      enrichment_status: 'pending',
      published: null,
      description: null,
      severity: null,
      enrichment: null,
    })
  })

  it('is gone when KEV removes it, and the log says so', async () => {
    await world.sayKev([{ cveId: ID }])
    await world.publish()
    await world.sayKev([])
    expect(await world.publish()).toMatchObject({ removed: 1 })
    expect(await keys()).toEqual([])
    expect(await world.look('select from catalog.epss')).toEqual([])
    expect((await changes()).at(-1)).toMatchObject({ id: ID, kind: 'removed' })
  })
})

describe('A KEV removal', () => {
  it('takes the entry and the flags with it, in one transaction, and counts as a modification at its date', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.sayKev([{ cveId: ID }])
    await world.publish()
    expect(await document()).toMatchObject({ enrichment: { kev_flag: true } })
    await world.sayKev([])
    await world.publish()
    const [ours, theirs] = await world.look<{ xmin: string }>(
      'select xmin::text from catalog.change order by seq desc limit 2',
    )
    expect(ours?.xmin).toBe(theirs?.xmin)
    expect(await document()).toMatchObject({
      enrichment: { kev_flag: false },
      modified: formatInstant(world.clock.now()),
    })
    expect(await world.look('select from catalog.kev')).toEqual([])
    expect(await world.look('select in_kev from catalog.cve')).toEqual([{ in_kev: false }])
  })
})

describe('A rejection', () => {
  it('keeps the record, with the status Rejected', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    const rejected = { vulnStatus: 'Rejected', metrics: {}, configurations: [], weaknesses: [], references: [] }
    await world.say('nvd', ID, nvdSaid(ID, rejected))
    await world.publish()
    expect(await document()).toMatchObject({ status: 'Rejected', severity: null, cpe: [] })
  })

  it('that is taken back leaves no trace of it', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    const before = await document()
    await world.say('nvd', ID, nvdSaid(ID, { vulnStatus: 'Rejected', metrics: {} }))
    await world.publish()
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    expect(await document()).toEqual({ ...before, enriched_at: expect.anything() })
  })
})

describe('Scores', () => {
  it('of version 4.0 alone give a severity, and no v3_1', async () => {
    const vector = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
    await world.say('nvd', ID, nvdSaid(ID, { metrics: { cvssMetricV40: [nvdRating(vector, 9.3)] } }))
    await world.publish()
    expect(await document()).toMatchObject({ severity: 9.3, cvss: { v3_1: null, v4_0: { baseScore: 9.3 } } })
  })

  it('of version 3.0 stand in v3_1 with their own version', async () => {
    const vector = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
    await world.say('nvd', ID, nvdSaid(ID, { metrics: { cvssMetricV30: [nvdRating(vector, 9.8)] } }))
    await world.publish()
    expect(await document()).toMatchObject({ severity: 9.8, cvss: { v3_1: { version: '3.0', baseScore: 9.8 } } })
  })
})

describe('A CVE with 5,000 CPE matches', () => {
  it('is published with all of them', async () => {
    const matches = Array.from({ length: 5000 }, (_, index) => ({ criteria: cpe(`teapot_${index}`) }))
    await world.say('nvd', ID, nvdSaid(ID, { configurations: [configuration(matches)] }))
    await world.publish()
    expect((await document())['cpe']).toHaveLength(5000)
    expect(await world.look('select cpe_count from catalog.cve')).toEqual([{ cpe_count: 5000 }])
  })
})
