import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { publishIds, underLock } from '../../../src/catalog/publish/publish.ts'
import { publishEpss } from '../../../src/catalog/publish/publish-epss.ts'
import { rebuild } from '../../../src/catalog/publish/rebuild.ts'
import { type CveId, parseCanonicalCveId } from '../../../src/domain/cve-id.ts'
import { catalogWorld } from '../catalog-setup.ts'
import { cveSaid, nvdRating, nvdSaid } from '../source-fixtures.ts'

const world = await catalogWorld()
beforeEach(() => world.reset())

const ID = 'CVE-2026-1000'

function cveId(text: string): CveId {
  const id = parseCanonicalCveId(text)
  if (!id) throw new Error(`${text} is no id`)
  return id
}

const changes = () =>
  world.look<{ id: string | null; kind: string; fields: string[] }>(
    'select catalog.cve_id(cve_key) as id, kind, fields from catalog.change order by seq',
  )
const keys = () => world.look<{ id: string }>('select catalog.cve_id(cve_key) as id from catalog.cve order by cve_key')
const details = () => world.look<{ source: string }>('select source, record from catalog.cve_detail order by source')

describe('EPSS that crosses 0.1', () => {
  it('brings a detail record, and takes it away again', async () => {
    const low = [nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8)]
    await world.say('nvd', ID, nvdSaid(ID, { metrics: { cvssMetricV31: low } }))
    await world.sayEpss('2026-08-20', { [ID]: 0.09 })
    await world.publish()
    expect(await details()).toEqual([])
    await world.sayEpss('2026-08-21', { [ID]: 0.1 })
    await world.publish()
    expect(await details()).toMatchObject([{ source: 'nvd' }])
    await world.sayEpss('2026-08-22', { [ID]: 0.0999 })
    await world.publish()
    expect(await details()).toEqual([])
  })
})

describe('A day of EPSS', () => {
  it('renders no document anew, and is one row of the log', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.say('cve', 'CVE-2026-1001', cveSaid('CVE-2026-1001'))
    await world.sayEpss('2026-08-20', { [ID]: 0.2, 'CVE-2026-9999': 0.3 })
    await world.publish()
    const before = await world.look('select xmin, cve_key from catalog.cve_document')
    await world.sayEpss('2026-08-21', { [ID]: 0.25, 'CVE-2026-1001': 0.01 })
    expect(await world.publish()).toMatchObject({ epss: 2, added: 0, changed: 0 })
    expect(await world.look('select xmin, cve_key from catalog.cve_document')).toEqual(before)
    expect(await world.look('select catalog.cve_id(cve_key) as id, score from catalog.epss order by 1')).toEqual([
      { id: ID, score: 0.25 },
      { id: 'CVE-2026-1001', score: 0.01 },
    ])
    expect((await changes()).slice(-1)).toEqual([{ id: null, kind: 'epss', fields: ['epss'] }])
  })

  it('waits for a CVE that is published between the feed and the publication: no two days are mixed', async () => {
    await world.sayEpss('2026-08-20', { [ID]: 0.2 })
    await world.publish()
    await world.say('nvd', ID, nvdSaid(ID))
    await world.sayEpss('2026-08-21', { [ID]: 0.3 })
    await underLock(world.tools, (tx) => publishIds(world.tools, tx, [cveId(ID)]))
    expect(await world.look('select score from catalog.epss')).toEqual([{ score: null }])
    await world.publish()
    expect(await world.look('select score from catalog.epss')).toEqual([{ score: 0.3 }])
    expect(await world.look(`select scored_at::date::text as day from catalog.epss_release`)).toEqual([
      { day: '2026-08-21' },
    ])
  })
})

describe('A release of EPSS that is issued again', () => {
  it('is published again, although it is of the same day', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.sayEpss('2026-08-20', { [ID]: 0.2 })
    await world.publish()
    await world.sayEpss('2026-08-20', { [ID]: 0.21 })
    expect(await world.publish()).toMatchObject({ epss: 1 })
    expect(await world.look('select score from catalog.epss')).toEqual([{ score: 0.21 }])
  })

  it('cannot be stored while the one before is being published', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.sayEpss('2026-08-20', { [ID]: 0.2 })
    await world.publish()
    await world.sayEpss('2026-08-21', { [ID]: 0.3 })
    let isStored = false
    let storing: Promise<void> | undefined
    await underLock(world.tools, async (tx) => {
      await publishEpss(tx)
      storing = world.sayEpss('2026-08-22', { [ID]: 0.4 }).finally(() => {
        isStored = true
      })
      await sleep(300)
      expect(isStored).toBe(false)
    })
    await storing
    expect(await world.look('select score from catalog.epss')).toEqual([{ score: 0.3 }])
    await world.publish()
    expect(await world.look('select score from catalog.epss')).toEqual([{ score: 0.4 }])
  })
})

describe('A record that cannot be published', () => {
  it('is set aside with the reason, and does not keep the others; it goes when the record is mended', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.say('nvd', 'CVE-2026-1001', nvdSaid('CVE-2026-1001'), '12000-01-01T00:00:00Z')
    expect(await world.publish()).toMatchObject({ added: 1, setAside: 1 })
    expect(await keys()).toEqual([{ id: ID }])
    expect(await world.look('select cve_id, reason from catalog.publication_fault')).toEqual([
      { cve_id: 'CVE-2026-1001', reason: expect.stringContaining('no time that can be stored') },
    ])
    await world.say('nvd', 'CVE-2026-1001', nvdSaid('CVE-2026-1001'))
    expect(await world.publish()).toMatchObject({ added: 1, setAside: 0 })
    expect(await world.look('select from catalog.publication_fault')).toEqual([])
  })
})

describe('New knowledge of weaknesses and techniques', () => {
  it('has every CVE concluded again', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.publish()
    await world.look(
      "insert into source.weakness values ('CWE-20', 'weakness', 'Improper Input Validation', 'Class', 'Stable', false, 'Input is not checked.', '', null)",
    )
    expect(await world.publish()).toMatchObject({ changed: 1 })
    await world.look('delete from source.weakness')
  })

  it('has them concluded by whoever publishes next, if a rebuild is interrupted', async () => {
    await world.look(`
      with said as (
        insert into source.source_record (source, cve_id, content_hash, modified, record)
        select 'nvd', 'CVE-2026-' || number, sha256(convert_to(number::text, 'UTF8')), '2026-08-20',
               replace('${JSON.stringify(nvdSaid('CVE-0'))}', 'CVE-0', 'CVE-2026-' || number)
          from generate_series(1001, 3100) number
        returning cve_id
      )
      insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from said
    `)
    await world.publish()
    await world.look(
      "insert into source.weakness values ('CWE-20', 'weakness', 'Improper Input Validation', 'Class', 'Stable', false, 'Input is not checked.', '', null)",
    )
    const stop = new AbortController()
    const first = await rebuild({ ...world.tools, signal: stop.signal, onProgress: () => stop.abort() })
    expect(first.changed).toBe(2000)
    expect(await world.publish()).toMatchObject({ changed: 100 })
    await world.look('delete from source.weakness')
  }, 60_000)
})

describe('Statistics', () => {
  it('are counted when something was published; scores and notices only of CVEs that were (decision C20)', async () => {
    await world.say('nvd', ID, nvdSaid(ID))
    await world.sayKev([{ cveId: 'CVE-2026-1001' }])
    await world.say('cve', 'CVE-2026-1002', cveSaid('CVE-2026-1002'))
    await world.sayNotice('teapots', [ID, 'CVE-2026-1001'])
    await world.sayEpss('2026-08-20', { [ID]: 0.2, 'CVE-2026-1001': 0.7, 'CVE-2026-1002': 0.1, 'CVE-2026-9999': 0.9 })
    await world.publish()
    const [counted] = await world.look('select * from catalog.statistic')
    expect(counted).toMatchObject({ total_cves: '3', total_kev: '1', total_with_epss: '2', total_with_acsc: '1' })
    expect(counted).toHaveProperty('average_epss', expect.closeTo(0.15, 10))
  })
})
