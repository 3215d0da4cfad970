import { beforeEach, describe, expect, it } from 'vitest'
import { publish } from '../../../src/catalog/publish/publish.ts'
import { rebuild } from '../../../src/catalog/publish/rebuild.ts'
import { verify } from '../../../src/catalog/publish/verify.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const [ID, OTHER] = ['CVE-2026-0001', 'CVE-2026-0002']

interface Row {
  readonly event: string
  readonly at: Date
  readonly isOpen: boolean
  readonly newForSeconds: number | null
}

const selectEvents = () =>
  catalog.selectRows<Row>(`
    select catalog.cve_id(cve_key) || ' ' || kind || subject as event, at, recent_until = 'infinity' as "isOpen",
           case when first_seen is not null and recent_until < 'infinity'
                then extract(epoch from recent_until - first_seen)::integer
           end as "newForSeconds"
      from catalog.event
     order by 1
  `)
const readTimes = async () => Object.fromEntries((await selectEvents()).map(({ event, at }) => [event, at]))

/** Advances the clock, so that each call returns a different time. */
const passHour = () => {
  catalog.clock.advance({ hours: 1 })
  return catalog.clock.now()
}

beforeEach(async () => {
  await catalog.reset()
  for (const id of [ID, OTHER]) await catalog.storeRecord('nvd', id, nvdRecord(id))
  await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-19' }])
  await catalog.storeEuKev({ [ID]: '2026-08-18' })
  await catalog.storeNotice('a', [ID], { title: 'A', published: '2026-08-21T03:00:00Z', summary: '' })
  await catalog.publish()
})

const FIRST_LOAD = {
  [`${ID} acsc_noticea`]: new Date('2026-08-21T03:00:00Z'),
  [`${ID} eu_kev_added`]: new Date('2026-08-18T00:00:00Z'),
  [`${ID} kev_added`]: new Date('2026-08-19T00:00:00Z'),
}

describe('Publisher: events', () => {
  it('dates the events of a first load as their sources do', async () => {
    expect(await readTimes()).toEqual(FIRST_LOAD)
    expect((await selectEvents()).every(({ isOpen }) => !isOpen)).toBe(true)
  })

  it('dates a later event with its publication time, and treats it as new for five minutes after that', async () => {
    passHour()
    await catalog.storeKev([{ cveId: ID }, { cveId: OTHER, dateAdded: '2026-08-20' }])
    await catalog.storeEuKev({ [ID]: '2026-08-18', [OTHER]: '2026-08-19' })
    await catalog.storeNotice('b', [OTHER], { title: 'B', published: '2026-08-21T05:00:00Z', summary: '' })
    const published = passHour()
    await catalog.publish()

    const events = ['acsc_noticeb', 'eu_kev_added', 'kev_added'].map((kind) => `${OTHER} ${kind}`)
    expect(await readTimes()).toEqual({
      ...FIRST_LOAD,
      ...Object.fromEntries(events.map((name) => [name, published])),
    })
    const later = (await selectEvents()).filter(({ event }) => events.includes(event))
    expect(later.map(({ newForSeconds }) => newForSeconds)).toEqual([300, 300, 300])
  })

  it('dates a removal and a return with the time they are published', async () => {
    await catalog.storeKev([])
    const removed = passHour()
    await catalog.publish()
    expect(await readTimes()).toEqual({ ...FIRST_LOAD, [`${ID} kev_removed`]: removed })

    await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-19' }])
    const returned = passHour()
    await catalog.publish()
    expect(await readTimes()).toEqual({ ...FIRST_LOAD, [`${ID} kev_removed`]: removed, [`${ID} kev_added`]: returned })
  })

  it('leaves an event open until the next publication if the publisher stops after its commit', async () => {
    await catalog.storeKev([{ cveId: ID }, { cveId: OTHER }])
    const stop = new AbortController()
    await publish({ ...catalog.context, signal: stop.signal, onProgress: () => stop.abort() })
    const readOpen = async () => (await selectEvents()).filter(({ isOpen }) => isOpen).map(({ event }) => event)
    expect(await readOpen()).toEqual([`${OTHER} kev_added`])

    await catalog.publish()
    expect(await readOpen()).toEqual([])
  })

  it('keeps events unchanged through a rebuild and later publications', async () => {
    await catalog.storeKev([{ cveId: ID }, { cveId: OTHER }])
    await catalog.publish()
    const before = await selectEvents()
    passHour()
    await catalog.storeRecord('nvd', OTHER, nvdRecord(OTHER, { vulnStatus: 'Modified' }))
    await catalog.publish()
    await rebuild(catalog.context)
    expect(await selectEvents()).toEqual(before)
  })

  it('publishes an event with its CVE if the CVE is published later', async () => {
    const unknown = 'CVE-2026-0003'
    await catalog.storeNotice('c', [unknown], { title: 'C', published: '2026-08-21T06:00:00Z', summary: '' })
    await catalog.publish()
    expect(await readTimes()).toEqual(FIRST_LOAD)

    await catalog.storeRecord('nvd', unknown, nvdRecord(unknown))
    const published = passHour()
    await catalog.publish()
    expect(await readTimes()).toEqual({ ...FIRST_LOAD, [`${unknown} acsc_noticec`]: published })
  })

  it('removes the events of a removed CVE', async () => {
    const inKevOnly = 'CVE-2026-0004'
    await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-19' }, { cveId: inKevOnly }])
    await catalog.publish()
    expect(Object.keys(await readTimes())).toContain(`${inKevOnly} kev_added`)
    await catalog.storeKev([{ cveId: ID, dateAdded: '2026-08-19' }])
    await catalog.publish()
    expect(await readTimes()).toEqual(FIRST_LOAD)
  })

  it('finds and repairs an event that was manually deleted or edited', async () => {
    for (const edit of ['delete from catalog.event', "update catalog.event set upstream_at = '2020-01-01'"]) {
      await catalog.selectRows(`${edit} where kind = 'kev_added'`)
      expect(await verify(catalog.context, { repair: false })).toMatchObject({
        differing: 1,
        examples: [{ cveId: ID, columns: ['event:kev_added'] }],
      })
      expect(await verify(catalog.context, { repair: true })).toMatchObject({ repaired: 1 })
      expect(await readTimes()).toEqual(FIRST_LOAD)
    }
  })
})
