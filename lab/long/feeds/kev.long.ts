// Imports the real KEV catalog.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kevFeed } from '../../../service/src/feeds/sources/kev/feed.ts'
import { createKevHarness, FILE } from '../../../service/test/feeds/sources/kev/fixtures.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const ENTRIES = 1674

const from = realData('the test of the real KEV catalog')

interface Catalog {
  readonly vulnerabilities: readonly { readonly cveID: string; readonly product: string }[]
}

describe.skipIf(!from)('KEV feed with the real catalog', () => {
  it('stores all KEV entries once and then writes only the changed 1 % of the entries', async () => {
    const { run, importCatalog, selectRows, listQueued } = await createKevHarness()
    const feed = kevFeed({ url: 'https://kev.example/' })

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      read: ENTRIES,
      written: ENTRIES,
      rejected: 0,
      error: null,
    })
    expect(await selectRows('select count(*)::int from source.kev_entry where removed_at is null')).toEqual([
      { count: ENTRIES },
    ])
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'kev'")).toEqual([
      { table_count: ENTRIES },
    ])

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      removed: 0,
      unchanged: ENTRIES,
    })

    const catalog = JSON.parse(readFileSync(`${from}/${FILE}`, 'utf8')) as Catalog
    const isChanged = (index: number) => index % 100 === 7
    const vulnerabilities = catalog.vulnerabilities.map((each, index) =>
      isChanged(index) ? { ...each, product: `${each.product} and more` } : each,
    )
    const changed = vulnerabilities.flatMap(({ cveID }, index) => (isChanged(index) ? [cveID] : []))
    expect(await importCatalog({ ...catalog, vulnerabilities })).toMatchObject({
      outcome: 'succeeded',
      written: changed.length,
      unchanged: ENTRIES - changed.length,
    })
    expect((await listQueued()).slice(ENTRIES).toSorted()).toEqual(changed.toSorted())
  })
})
