// The day on which a CVE became urgent, for the sort order level_desc.
import { describe, expect, it } from 'vitest'
import { RANKS_PER_LEVEL } from '../../../src/domain/priority/policy.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()

const [LISTED_LATER, ORDINARY] = ['CVE-2026-0001', 'CVE-2026-0002']

interface Days {
  readonly event_day: number
  readonly urgent_day: number | null
  readonly is_today: boolean
  readonly is_in_order: boolean
}

async function read(id: string): Promise<Days | undefined> {
  const rows = await catalog.selectRows<Days>(`
    select event_day, urgent_day,
           urgent_day = (now() at time zone 'utc')::date - date '1970-01-01' as is_today,
           catalog.level_order(priority, event_day, urgent_day) = priority / ${RANKS_PER_LEVEL} * 100000 + greatest(event_day, urgent_day) as is_in_order
      from catalog.cve
     where cve_key = catalog.cve_key('${id}')
  `)
  return rows[0]
}

const toDays = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000

describe('The day on which a CVE became urgent', () => {
  it('is unknown for a CVE that never was', async () => {
    for (const id of [LISTED_LATER, ORDINARY])
      await catalog.storeRecord('nvd', id, nvdRecord(id, { published: '2026-01-02T03:04:05.000' }))
    await catalog.publish()
    const expected = { event_day: toDays('2026-01-02'), urgent_day: null, is_in_order: true }
    expect(await read(LISTED_LATER)).toMatchObject(expected)
    expect(await read(ORDINARY)).toMatchObject(expected)
  })

  it('is that of the publication after which its level is P0 or P1, and the order follows', async () => {
    await catalog.storeKev([{ cveId: LISTED_LATER, dateAdded: '2026-08-02' }])
    await catalog.publish()
    expect(await read(LISTED_LATER)).toMatchObject({
      event_day: toDays('2026-08-02'),
      is_today: true,
      is_in_order: true,
    })
    expect(await read(ORDINARY)).toMatchObject({ urgent_day: null })
  })

  it('stays if the CVE changes in another way', async () => {
    await catalog.selectRows(`update catalog.cve set urgent_day = 20000 where urgent_day is not null`)
    await catalog.storeRecord('nvd', LISTED_LATER, nvdRecord(LISTED_LATER, { published: '2026-01-03T03:04:05.000' }))
    await catalog.publish()
    expect(await read(LISTED_LATER)).toMatchObject({ urgent_day: 20_000, is_in_order: true })
  })
})
