import { describe, expect, it } from 'vitest'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { median } from '../../../service/test/support/load/percentile.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { connectToSearch } from '../../../service/test/support/search/search-mix.ts'
import { computePageBound, EXPENSIVE_SEARCHES, type MeasuredSearch, measureSearch } from './expensive-searches.ts'

const PRINTED = 10
const folder = realData('the measurement of expensive searches on the whole catalog')

function printWorst(title: string, measured: readonly MeasuredSearch[], getCost: (search: MeasuredSearch) => number) {
  const middle = median(measured.map(getCost))
  process.stdout.write(`${title}: median ${middle.toFixed(0)}\n`)
  for (const search of measured.toSorted((a, b) => getCost(b) - getCost(a)).slice(0, PRINTED)) {
    const [cost, ratio] = [getCost(search).toFixed(0).padStart(8), (getCost(search) / middle).toFixed(1).padStart(6)]
    process.stdout.write(`${cost} ${ratio} × median  ${search.query.slice(0, 120)}\n`)
  }
}

describe.skipIf(folder === undefined)('Expensive searches on the whole catalog', () => {
  it('read a bounded number of pages', async () => {
    const client = await connectToSearch(await openWholeCatalog(folder ?? ''))
    cleanUpAfterTests(() => client.end())
    const measured: MeasuredSearch[] = []
    for (const search of EXPENSIVE_SEARCHES) measured.push(await measureSearch(client, search))
    printWorst('milliseconds', measured, ({ ms }) => ms)
    printWorst('pages read', measured, ({ pages }) => pages)

    const bound = await computePageBound(client)
    for (const { pages, query } of measured) expect(pages, query).toBeLessThan(bound)
  }, 3_600_000)
})
