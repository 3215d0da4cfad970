import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Publication } from '../../src/catalog/publish/publish.ts'
import { publishNow } from '../../src/commands/publish-now.ts'
import { sync } from '../../src/commands/sync.ts'
import { loadConfig } from '../../src/config.ts'
import { isCsafSource } from '../../src/domain/source/csaf-sources.ts'
import type { RunReport } from '../../src/feeds/engine/run.ts'
import { feedDefinitions } from '../../src/feeds/index.ts'
import { account, createTestKey } from '../support/builders.ts'
import { findNameMisses, type KevEntryNames } from '../support/catalog/find-name-misses.ts'
import { realData } from '../support/real-data.ts'
import { startTestService } from '../support/service.ts'

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url))
const LOAD_WITHIN_MS = 400_000

const { api, clock, environment, given } = await startTestService()
const enterprise = createTestKey()
await given(account('enterprise').withKey(enterprise))

let reports: readonly RunReport[] = []
let publication: Publication | undefined

beforeAll(async () => {
  const config = loadConfig(environment)
  const screen = { write: () => true }
  reports = await sync(config, [], { from: SAMPLE }, { clock: clock.now, screen })
  publication = await publishNow(config, { clock: clock.now, signal: new AbortController().signal, screen })
}, LOAD_WITHIN_MS)

const readSample = (name: string) => JSON.parse(readFileSync(join(SAMPLE, name), 'utf8'))

function readNames(catalog: KevEntryNames['catalog'], entries: readonly Record<string, string>[]) {
  return entries.map(
    ({ cveID: cveId = '', vendorProject: vendor = '', product = '' }): KevEntryNames => ({
      catalog,
      cveId,
      vendor,
      product,
    }),
  )
}

const stats = async () => (await api.get('/api/v1/stats')).json.data.stats
const getDetail = async (id: string, vendor: string) =>
  api.get(`/api/v1/cve/${id}/detail?vendor=${vendor}`, { key: enterprise.key })

describe('Demo sample', () => {
  it('is imported by every feed except those of CSAF documents, without a rejected record', async () => {
    expect(reports).toHaveLength(feedDefinitions.length)
    for (const { feed, outcome, rejected } of reports)
      expect([feed, outcome, rejected]).toEqual([feed, isCsafSource(feed) ? 'absent' : 'succeeded', 0])
    expect(publication).toMatchObject({ added: 102, setAside: 0 })
  })

  it('contains 102 CVEs, 78 of them in KEV, more than 90 with an EPSS score and 17 with ACSC notices', async () => {
    expect(await stats()).toMatchObject({ totalCves: 102, totalKev: 78, totalWithAcsc: 17 })
    expect((await stats()).totalWithEpss).toBeGreaterThan(90)
  })

  it('has every KEV and EU KEV entry under its own vendor and product', async () => {
    const get = async (path: string) => (await api.get(`/api/v1/${path}`, { key: enterprise.key })).json.data
    const entries = [
      ...readNames('cisa', readSample('known_exploited_vulnerabilities.json').vulnerabilities),
      ...readNames('eu', readSample('eukev.json')),
    ]
    expect(entries.length).toBeGreaterThan(78)
    const { missed } = await findNameMisses(get, entries)
    expect(missed).toEqual({ filter: [], facet: [], suggest: [], board: [] })
  })

  it('contains CVEs that are recent at the date of the sample', async () => {
    const { data } = (await api.get('/api/v1/cves/recent?days=1&has_acsc=true')).json

    expect(data.cves.map((each: { cve_id: string }) => each.cve_id)).toEqual(['CVE-2026-72530', 'CVE-2026-72529'])
  })

  it('contains ATT&CK techniques, exploit evidence, and weakness names', async () => {
    const { cve } = (await api.get('/api/v1/cve/CVE-2021-44228?include=attack,enrichment')).json.data
    expect(cve.attack.techniques).toContain('T1190')
    expect(cve.enrichment).toMatchObject({ exploit_flag: true, kev_flag: true, patch_available: true })

    const { data } = (await getDetail('CVE-2021-44228', 'nvd')).json
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
  ])('contains the detail record for %s from the source %s', async (id, vendor) => {
    const { headers, json } = await getDetail(id, vendor)

    expect(headers['x-blob-status']).toBe('available')
    expect(json.data).toMatchObject({ cve_id: id, vendor })
  })
})

const realFolder = realData('the test that the demo sample repeats no sentence of its sources')

describe.runIf(realFolder)('Demo sample: texts', { timeout: LOAD_WITHIN_MS }, () => {
  it('repeats no sentence from the upstream files', () => {
    const [nvd, kev, weaknesses] = [readNvdTexts(), readKevTexts(), readWeaknessTexts()]
    expect([nvd.length, kev.length, weaknesses.length]).toEqual([86, 2 * 78, 51])

    expect(findRepeated(weaknesses, 'cwe.csv')).toEqual([])
    expect(findRepeated(kev, 'known_exploited_vulnerabilities.json')).toEqual([])
    for (const [year, texts] of Map.groupBy(nvd, ({ id }) => id.slice(4, 8)))
      expect(
        findRepeated(
          texts.map(({ text }) => text),
          `nvd/nvdcve-2.0-${year}.json.gz`,
        ),
      ).toEqual([])
    expect(findRepeated(readCveListTexts(), 'cvelist5.ndjson.gz')).toEqual([])
  })
})

function findRepeated(texts: readonly string[], file: string): string[] {
  const bytes = readFileSync(join(realFolder ?? '', file))
  const upstream = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
  expect(upstream.length).toBeGreaterThan(100_000)
  return texts.filter((text) => splitSentences(text).some((each) => upstream.includes(each)))
}

/** Splits a text into sentences that are escaped as in JSON, because nearly all upstream files are JSON. */
function splitSentences(text: string): string[] {
  return text.split(/(?<=\.) /).map((each) => JSON.stringify(each).slice(1, -1))
}

const sampleFile = (name: string) => readFileSync(join(SAMPLE, name), 'utf8')

function readNvdTexts(): { id: string; text: string }[] {
  const { vulnerabilities } = JSON.parse(sampleFile('nvdcve-2.0-modified.json'))
  return vulnerabilities.map(({ cve }: { cve: { id: string; descriptions: { value: string }[] } }) => ({
    id: cve.id,
    text: cve.descriptions[0]?.value ?? '',
  }))
}

function readKevTexts(): string[] {
  const { vulnerabilities } = JSON.parse(sampleFile('known_exploited_vulnerabilities.json'))
  return vulnerabilities.flatMap((each: { shortDescription: string; vulnerabilityName: string }) => [
    each.shortDescription,
    each.vulnerabilityName,
  ])
}

function readWeaknessTexts(): string[] {
  const [, ...rows] = sampleFile('cwe.csv').trimEnd().split('\n')
  // In cwe.csv, the description is the last column, and it is quoted if it contains a comma.
  return rows.map((row) => /(?:"([^"]+)"|,([^",]+))$/.exec(row)?.slice(1).find(Boolean) ?? '')
}

function readCveListTexts(): string[] {
  return sampleFile('cvelist5.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).containers.cna)
    .flatMap(({ title, descriptions }) => [title, descriptions[0].value])
}
