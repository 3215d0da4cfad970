// The real catalogue, all of it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kevFeed } from '../../../../src/feeds/sources/kev/feed.ts'
import { sharedData } from '../../../support/shared-data.ts'
import { FILE, kevMachine } from './fixtures.ts'

const ENTRIES = 1674

const from = sharedData('the real KEV catalogue')

interface Catalogue {
  readonly vulnerabilities: readonly { readonly cveID: string; readonly product: string }[]
}

describe.skipIf(!from)('The real KEV catalogue', () => {
  it('is stored whole, once, and of a copy with one in a hundred changed exactly those are written', async () => {
    const { run, read, look, queued } = await kevMachine()
    const feed = kevFeed({ url: 'https://kev.example/' })

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      read: ENTRIES,
      written: ENTRIES,
      rejected: 0,
      fault: null,
    })
    expect(await look('select count(*)::int from source.kev_entry where removed_at is null')).toEqual([
      { count: ENTRIES },
    ])
    expect(await look("select table_count::int from catalog.dataset where name = 'kev'")).toEqual([
      { table_count: ENTRIES },
    ])

    expect(await run(feed, { from })).toMatchObject({
      outcome: 'succeeded',
      written: 0,
      removed: 0,
      unchanged: ENTRIES,
    })

    const catalogue = JSON.parse(readFileSync(`${from}/${FILE}`, 'utf8')) as Catalogue
    const isChanged = (index: number) => index % 100 === 7
    const vulnerabilities = catalogue.vulnerabilities.map((each, index) =>
      isChanged(index) ? { ...each, product: `${each.product} and more` } : each,
    )
    const changed = vulnerabilities.flatMap(({ cveID }, index) => (isChanged(index) ? [cveID] : []))
    expect(await read({ ...catalogue, vulnerabilities })).toMatchObject({
      outcome: 'succeeded',
      written: changed.length,
      unchanged: ENTRIES - changed.length,
    })
    expect((await queued()).slice(ENTRIES).toSorted()).toEqual(changed.toSorted())
  })
})
