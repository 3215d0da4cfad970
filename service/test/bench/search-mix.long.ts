import type { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { wholeCatalog } from '../support/catalog/whole-catalog.ts'
import { atEnd } from '../support/cleanup.ts'
import { sharedData } from '../support/shared-data.ts'
import { type Compared, comparePlans, connectToSearch, SEARCH_MIX } from './search-mix.ts'

const RUNS = 7
const folder = sharedData('the mix of searches on the whole catalog')

async function openCatalog(): Promise<Client> {
  const client = await connectToSearch(await wholeCatalog(folder ?? ''))
  atEnd(() => client.end())
  return client
}

function lineOf({ search, plannedMs, bestMs, bestWithout }: Compared): string {
  const [planned, best] = [plannedMs.toFixed(1).padStart(7), bestMs.toFixed(1).padStart(7)]
  return `${planned} ms, best ${best} ms ${bestWithout.padEnd(18)} ${search.query}${search.after ? ' (deep)' : ''}\n`
}

describe.skipIf(folder === undefined)('the mix of searches on the whole catalog', () => {
  it('is planned nearly as well as it could be, stays under 100 ms, and reads no table from end to end', async () => {
    const client = await openCatalog()
    const measured: Compared[] = []
    for (const search of SEARCH_MIX) measured.push(await comparePlans(client, search, RUNS))
    for (const each of measured) process.stdout.write(lineOf(each))
    const ratios = measured.map(({ plannedMs, bestMs }) => plannedMs / bestMs).sort((a, b) => a - b)
    process.stdout.write(`median ratio ${ratios[ratios.length >> 1]?.toFixed(2)}, worst ${ratios.at(-1)?.toFixed(2)}\n`)

    expect(measured.flatMap(({ sequentialScans }) => sequentialScans)).not.toContain('cve')
    expect(ratios[ratios.length >> 1]).toBeLessThanOrEqual(1.3)
    expect(ratios.at(-1)).toBeLessThanOrEqual(3)
    for (const { search, plannedMs } of measured) expect(plannedMs, search.query).toBeLessThan(100)
  }, 1_800_000)
})
