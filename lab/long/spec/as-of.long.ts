import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { comparePairs } from '../../../service/test/spec/as-of/compare.ts'
import { type KevEntries, replay } from '../../../service/test/spec/as-of/replay.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const service = await startTestService({ environment: { CVE_CACHE_MB: '0' } })
const catalog = await createCatalogHarness(service.database.url)
const data = realData('as-of with the real changes of KEV', 'data-more')

/** Replays a month and returns the number of pairs whose bytes differ from the recorded answer. */
async function countDifferences(kev?: readonly KevEntries[]) {
  await catalog.reset()
  const recorded = await replay(catalog, service.api, { days: 30, cves: 40, ...(kev && { kev }) })
  expect(recorded.length).toBeGreaterThan(1000)
  return comparePairs(service.api, recorded, 1000)
}

describe('GET /api/v1/cve/{cve-id}/as-of/{date}', () => {
  it('returns the recorded bytes for 1,000 pairs of a CVE and a day in a generated month', async () => {
    expect(await countDifferences()).toEqual([])
  })

  it.skipIf(data === undefined)('returns the recorded bytes for 30 real KEV releases', async () => {
    expect(await countDifferences(readKevReleases(join(data ?? '', 'kev-history.ndjson.gz')))).toEqual([])
  })
})

interface RealEntry {
  readonly cveID: string
  readonly dateAdded: string
  readonly dueDate?: string
  readonly vendorProject: string
  readonly product: string
  readonly vulnerabilityName: string
  readonly shortDescription: string
  readonly requiredAction: string
  readonly notes?: string
  readonly knownRansomwareCampaignUse?: string
}

interface Release {
  readonly vulnerabilities?: readonly RealEntry[]
  readonly added?: readonly RealEntry[]
  readonly removed?: readonly string[]
  readonly changed?: readonly { readonly cveID: string; readonly now: Partial<RealEntry> }[]
}

const MAX_IDS = 80

/** Reads 30 releases, those with removals first, reduced to the entries that differ between them. */
function readKevReleases(path: string): readonly KevEntries[] {
  const releases = gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .map((line): Release => JSON.parse(line))
  const withRemovals = releases.filter(({ removed = [] }) => removed.length > 0)
  const chosen = new Set([...withRemovals, ...releases.slice(withRemovals.length - 30)])
  const ids = new Set(
    [...chosen]
      .flatMap(({ removed = [], changed = [], added = [] }) => [
        ...removed,
        ...[...changed.slice(0, 3), ...added].map(({ cveID }) => cveID),
      ])
      .slice(0, MAX_IDS),
  )
  const entries = new Map<string, RealEntry>()
  return releases.flatMap((release) => {
    for (const entry of [...(release.vulnerabilities ?? []), ...(release.added ?? [])]) entries.set(entry.cveID, entry)
    for (const { cveID, now } of release.changed ?? []) {
      const entry = entries.get(cveID)
      if (entry) entries.set(cveID, { ...entry, ...now })
    }
    for (const id of release.removed ?? []) entries.delete(id)
    return chosen.has(release) ? [[...entries.values()].filter(({ cveID }) => ids.has(cveID)).map(toEntry)] : []
  })
}

function toEntry({ cveID: cveId, knownRansomwareCampaignUse, ...entry }: RealEntry): KevEntries[number] {
  const { vendorProject, product, vulnerabilityName, dateAdded, shortDescription, requiredAction, dueDate, notes } =
    entry
  const knownRansomware = knownRansomwareCampaignUse === 'Known'
  const texts = { vendorProject, product, vulnerabilityName, dateAdded, shortDescription, requiredAction }
  return { cveId, ...texts, ...(dueDate && { dueDate }), ...(notes !== undefined && { notes }), knownRansomware }
}
