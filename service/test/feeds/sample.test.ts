import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Publication } from '../../src/catalog/publish/publish.ts'
import { publishNow } from '../../src/commands/publish-now.ts'
import { sync } from '../../src/commands/sync.ts'
import { loadConfig } from '../../src/config.ts'
import type { RunReport } from '../../src/feeds/engine/run.ts'
import { account, aKey } from '../support/builders.ts'
import { testService } from '../support/service.ts'
import { sharedData } from '../support/shared-data.ts'

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url))
const LOAD_WITHIN_MS = 120_000

const { api, clock, environment, given } = await testService()
const enterprise = aKey()
await given(account('enterprise').withKey(enterprise))

let reports: readonly RunReport[] = []
let publication: Publication | undefined

beforeAll(async () => {
  const config = loadConfig(environment)
  reports = await sync(config, [], { from: SAMPLE }, clock.now)
  publication = await publishNow(config, clock.now, new AbortController().signal)
}, LOAD_WITHIN_MS)

const stats = async () => (await api.get('/api/v1/stats')).json.data.stats
const detailOf = async (id: string, vendor: string) =>
  api.get(`/api/v1/cve/${id}/detail?vendor=${vendor}`, { key: enterprise.key })

describe('The sample of the demonstration', () => {
  it('has something of every feed, and nothing of it is rejected or set aside', async () => {
    expect(reports).toHaveLength(17)
    for (const { feed, outcome, rejected } of reports) expect([feed, outcome, rejected]).toEqual([feed, 'succeeded', 0])
    expect(publication).toMatchObject({ added: 100, setAside: 0 })
  })

  it('has about 100 CVEs, most of them known to be exploited and scored by EPSS, some with notices', async () => {
    expect(await stats()).toMatchObject({ totalCves: 100, totalKev: 78, totalWithAcsc: 17 })
    expect((await stats()).totalWithEpss).toBeGreaterThan(90)
  })

  it('has something recent at its own date', async () => {
    const { data } = (await api.get('/api/v1/cves/recent?days=1&has_acsc=true')).json

    expect(data.cves.map((each: { cve_id: string }) => each.cve_id)).toEqual(['CVE-2026-72530', 'CVE-2026-72529'])
  })

  it('has techniques, exploit evidence and weaknesses with names', async () => {
    const { cve } = (await api.get('/api/v1/cve/CVE-2021-44228?include=attack,enrichment')).json.data
    expect(cve.attack.techniques).toContain('T1190')
    expect(cve.enrichment).toMatchObject({ exploit_flag: true, kev_flag: true, patch_available: true })

    const { data } = (await detailOf('CVE-2021-44228', 'nvd')).json
    expect(data.technical_details.cwe).toContainEqual({
      id: 'CWE-502',
      name: 'Deserialization of Untrusted Data',
      description: expect.stringContaining('turned into objects'),
    })
  })

  it.each([
    ['CVE-2021-44228', 'nvd'],
    ['CVE-2024-3400', 'cve'],
    ['CVE-2021-44228', 'ghsa'],
    ['CVE-2024-6387', 'redhat'],
    ['CVE-2024-38063', 'msrc'],
  ])('has the detail of %s by %s', async (id, vendor) => {
    const { headers, json } = await detailOf(id, vendor)

    expect(headers['x-blob-status']).toBe('available')
    expect(json.data).toMatchObject({ cve_id: id, vendor })
  })
})

const shared = sharedData('whether the sample of the demonstration repeats a sentence of its sources')

describe.runIf(shared)('The sentences of the sample are ours', { timeout: LOAD_WITHIN_MS }, () => {
  it('and none of them stands in what the sources say', () => {
    const [nvd, kev, weaknesses] = [wordsOfNvd(), wordsOfKev(), wordsOfWeaknesses()]
    expect([nvd.length, kev.length, weaknesses.length]).toEqual([86, 2 * 78, 51])

    expect(repeated(weaknesses, 'cwe.csv')).toEqual([])
    expect(repeated(kev, 'known_exploited_vulnerabilities.json')).toEqual([])
    for (const [year, words] of Map.groupBy(nvd, ({ id }) => id.slice(4, 8)))
      expect(
        repeated(
          words.map(({ said }) => said),
          `nvd/nvdcve-2.0-${year}.json.gz`,
        ),
      ).toEqual([])
    expect(repeated(wordsOfCveList(), 'cvelist5.ndjson.gz')).toEqual([])
  })
})

function repeated(words: readonly string[], file: string): string[] {
  const bytes = readFileSync(join(shared ?? '', file))
  const upstream = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
  expect(upstream.length).toBeGreaterThan(100_000)
  return words.filter((said) => sentencesOf(said).some((each) => upstream.includes(each)))
}

/** As JSON writes them, since nearly all of the sources are JSON. */
function sentencesOf(said: string): string[] {
  return said.split(/(?<=\.) /).map((each) => JSON.stringify(each).slice(1, -1))
}

const sampleFile = (name: string) => readFileSync(join(SAMPLE, name), 'utf8')

function wordsOfNvd(): { id: string; said: string }[] {
  const { vulnerabilities } = JSON.parse(sampleFile('nvdcve-2.0-modified.json'))
  return vulnerabilities.map(({ cve }: { cve: { id: string; descriptions: { value: string }[] } }) => ({
    id: cve.id,
    said: cve.descriptions[0]?.value ?? '',
  }))
}

function wordsOfKev(): string[] {
  const { vulnerabilities } = JSON.parse(sampleFile('known_exploited_vulnerabilities.json'))
  return vulnerabilities.flatMap((each: { shortDescription: string; vulnerabilityName: string }) => [
    each.shortDescription,
    each.vulnerabilityName,
  ])
}

function wordsOfWeaknesses(): string[] {
  const [, ...rows] = sampleFile('cwe.csv').trimEnd().split('\n')
  // The last column, quoted if there is a comma in it.
  return rows.map((row) => /(?:"([^"]+)"|,([^",]+))$/.exec(row)?.slice(1).find(Boolean) ?? '')
}

function wordsOfCveList(): string[] {
  return sampleFile('cvelist5.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).containers.cna)
    .flatMap(({ title, descriptions }) => [title, descriptions[0].value])
}
