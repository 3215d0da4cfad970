import { beforeEach, describe, expect, it } from 'vitest'
import type { Feed } from '../../../../src/feeds/feed.ts'
import { endOfLifeFeed } from '../../../../src/feeds/sources/endoflife/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { cycle, ended, endOfLifeList, endOfLifeProduct } from './fixtures.ts'

const { importFiles, selectRows, listRejections, reset } = await createFeedHarness()
const feed: Feed = endOfLifeFeed({ url: 'https://endoflife.example/full' })

const importProducts = (...products: readonly unknown[]) =>
  importFiles(feed, { 'endoflife.json': endOfLifeList(products) })

const listStored = () =>
  selectRows<Record<string, unknown>>(
    'select product, label, names, cycles::json as cycles from source.end_of_life order by product',
  )

const listNames = async (...identifiers: readonly (readonly [type: string, id: string])[]) => {
  await importProducts(endOfLifeProduct('lark', { identifiers: identifiers.map(([type, id]) => ({ type, id })) }))
  return (await listStored())[0]?.['names']
}

beforeEach(reset)

describe('endoflife.date feed', () => {
  it('stores the cycles of a product with the days on which their support ends', async () => {
    const releases = [
      cycle('24.04', { codename: 'Noble Lark', eolFrom: '2029-05-31', isEoes: false, eoesFrom: '2034-04-25' }),
      ended('18.04', '2023-05-31', { isEoes: null, eoesFrom: null }),
    ]
    const report = await importProducts(endOfLifeProduct('lark', { releases }))

    expect(report).toMatchObject({ outcome: 'succeeded', read: 1, written: 1, rejected: 0 })
    expect(await listStored()).toEqual([
      {
        product: 'lark',
        label: 'Larkfield',
        names: ['purl:npm/larkfield'],
        cycles: [
          {
            name: '24.04',
            code_name: 'noble',
            is_over: false,
            over_from: '2029-05-31',
            extended: { is_over: false, over_from: '2034-04-25' },
          },
          { name: '18.04', code_name: null, is_over: true, over_from: '2023-05-31', extended: null },
        ],
      },
    ])
  })

  it('stores the names of the whole product, and not those of packages of distributions', async () => {
    expect(
      await listNames(
        ['cpe', 'cpe:2.3:a:larkfield:server'],
        ['cpe', 'cpe:/a:larkfield:server_pro'],
        ['cpe', 'cpe:2.3:a:larkfield:old_server:1.0'],
        ['purl', 'pkg:maven/org.larkfield/server'],
        ['purl', 'pkg:deb/debian/larkfield'],
        ['purl', 'pkg:oci/larkfield?repository_url=cgr.dev/larkfield'],
        ['repology', 'larkfield'],
      ),
    ).toEqual(['cpe:larkfield/server', 'cpe:larkfield/server_pro', 'purl:maven/org.larkfield/server'])
  })

  it('removes a product that is no longer listed', async () => {
    await importProducts(endOfLifeProduct('lark'), endOfLifeProduct('wren'))
    expect(await importProducts(endOfLifeProduct('lark'))).toMatchObject({ removed: 1 })
  })

  it('rejects a product with a day that does not exist', async () => {
    await importProducts(endOfLifeProduct('lark'), endOfLifeProduct('finch'), {
      ...endOfLifeProduct('wren'),
      releases: [ended('1', '2024-02-30')],
    })
    expect(await listRejections()).toEqual([{ subject: 'wren', reason: 'release 1: not a date: "2024-02-30"' }])
  })

  it('stores nothing of a list that is shorter than its total', async () => {
    const file = endOfLifeList([endOfLifeProduct('lark')], 2)
    expect(await importFiles(feed, { 'endoflife.json': file })).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('its total is 2, but its list has 1 products'),
    })
    expect(await listStored()).toEqual([])
  })
})
