import type { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import {
  comparePlans,
  connectToSearch,
  type PlanComparison,
  SEARCH_MIX,
} from '../../../service/test/support/search/search-mix.ts'

const RUNS = 7
const folder = realData('the benchmark of the search mix on the whole catalog')

async function openCatalog(): Promise<Client> {
  const client = await connectToSearch(await openWholeCatalog(folder ?? ''))
  cleanUpAfterTests(() => client.end())
  return client
}

function formatLine({ search, plannedMs, bestMs, bestWithout }: PlanComparison): string {
  const [planned, best] = [plannedMs.toFixed(1).padStart(7), bestMs.toFixed(1).padStart(7)]
  return `${planned} ms, best ${best} ms ${bestWithout.padEnd(18)} ${search.query}${search.after ? ' (deep)' : ''}\n`
}

describe.skipIf(folder === undefined)('Searches on the whole catalog', () => {
  it('take under 100 ms and at most 3 times the duration of the best query plan, and read no table completely', async () => {
    const client = await openCatalog()
    const measured: PlanComparison[] = []
    for (const search of SEARCH_MIX) measured.push(await comparePlans(client, search, RUNS))
    for (const each of measured) process.stdout.write(formatLine(each))
    const ratios = measured.map(({ plannedMs, bestMs }) => plannedMs / bestMs).sort((a, b) => a - b)
    process.stdout.write(`median ratio ${ratios[ratios.length >> 1]?.toFixed(2)}, worst ${ratios.at(-1)?.toFixed(2)}\n`)

    expect(measured.flatMap(({ sequentialScans }) => sequentialScans)).not.toContain('cve')
    expect(ratios[ratios.length >> 1]).toBeLessThanOrEqual(1.3)
    expect(ratios.at(-1)).toBeLessThanOrEqual(3)
    for (const { search, plannedMs } of measured) expect(plannedMs, search.query).toBeLessThan(100)
  }, 1_800_000)
})
