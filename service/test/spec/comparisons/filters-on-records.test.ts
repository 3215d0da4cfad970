// Compares the filters with the records that the service returns: each filter is evaluated on the members of every
// record of the published sample, and the lists must return exactly the CVEs whose record matches.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { publishNow } from '../../../src/commands/publish-now.ts'
import { sync } from '../../../src/commands/sync.ts'
import { loadConfig } from '../../../src/config.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { listCveIds } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'
import { chooseBySize } from '../../support/size.ts'

const SAMPLE = fileURLToPath(new URL('../../../sample', import.meta.url))
const { api, clock, environment, given } = await startTestService()
const enterprise = createTestKey()
await given(account('enterprise').withKey(enterprise))

// biome-ignore lint/suspicious/noExplicitAny: the test reads members of responses; openapi.json checks their shape.
type Json = any

interface ServedRecord {
  readonly id: string
  readonly cve: Json
  /** Fixed versions of the detail record. */
  readonly fixes: readonly unknown[]
  /** A partial detail record shows no fixes. */
  readonly hasFullDetail: boolean
  /** CNA in the sample's file of the CVE List; undefined if the file does not have the CVE. */
  readonly assigner: string | undefined
}

let records: readonly ServedRecord[] = []

beforeAll(async () => {
  const config = loadConfig(environment)
  const screen = { write: () => true }
  await sync(config, [], { from: SAMPLE }, { clock: clock.now, screen })
  await publishNow(config, { clock: clock.now, signal: new AbortController().signal, screen })
  const { data } = (await get('/api/v1/cves?limit=100&fields=cve_id')).json
  records = await Promise.all(listCveIds(data).map(readRecord))
}, 400_000)

function get(path: string) {
  return api.get(path, { key: enterprise.key })
}

const ASSIGNERS = new Map(
  readFileSync(`${SAMPLE}/cvelist5.ndjson`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): [string, string] => {
      const { cveId, assignerShortName } = JSON.parse(line).cveMetadata
      return [cveId, assignerShortName.toLowerCase()]
    }),
)

async function readRecord(id: string): Promise<ServedRecord> {
  const include = 'enrichment,attack,exploits,priority,sources'
  const { cve } = (await get(`/api/v1/cve/${id}?include=${include}`)).json.data
  const detail = (await get(`/api/v1/cve/${id}/detail`)).json.data
  const hasFullDetail = detail.status !== 'partial'
  // The filter counts versions in structured data, not those that only a text names.
  const fixes = (detail.fixes ?? []).filter((fix: { readonly derived?: boolean }) => !fix.derived)
  return { id, cve, fixes, hasFullDetail, assigner: ASSIGNERS.get(id) }
}

const hasAny = (value: string, actual: readonly unknown[]) => value.split(',').some((each) => actual.includes(each))
const isFlag = (value: string, actual: boolean) => String(actual) === value

function listProducts({ cve }: ServedRecord): readonly { vendor: string; product: string }[] {
  return cve.cpe
    .filter(({ vulnerable }: Json) => vulnerable)
    .map(({ criteria }: Json) => {
      const [, , , vendor, product] = criteria.split(/(?<!\\):/).map((part: string) => part.replaceAll('\\', ''))
      return { vendor, product }
    })
}

/** CVSS 2.0 vectors have no prefix. */
const readVersion = (vector: string | null | undefined) => vector && (/^CVSS:(\d)/.exec(vector)?.[1] ?? '2')

function countEvidence({ exploits }: Json): number {
  return Object.values<number>(exploits.counts).reduce((sum, each) => sum + each, 0)
}

/** Evaluates each filter on the members of a record. */
const FILTERS: Readonly<Record<string, (record: ServedRecord, value: string) => boolean>> = {
  cwe: ({ cve }, value) => hasAny(value, cve.enrichment?.cwe_list ?? []),
  technique: ({ cve }, value) =>
    hasAny(
      value,
      cve.attack.techniques.flatMap((id: string) => [id, id.split('.')[0]]),
    ),
  product: (record, value) =>
    hasAny(
      value,
      listProducts(record).map(({ product }) => product),
    ),
  product_vendor: (record, value) =>
    hasAny(
      value,
      listProducts(record).map(({ vendor }) => vendor),
    ),
  assigner: ({ assigner }, value) => assigner !== undefined && hasAny(value, [assigner]),
  has_fix: ({ fixes }, value) => isFlag(value, fixes.length > 0),
  has_cvss: ({ cve }, value) => isFlag(value, cve.severity !== null),
  has_epss: ({ cve }, value) => isFlag(value, cve.epss !== undefined),
  score_version: ({ cve }, value) => hasAny(value, [readVersion(cve.enrichment?.cvss_vector)]),
  epss_percentile_min: ({ cve }, value) => cve.epss?.percentile >= Number(value),
  ransomware: ({ cve }, value) => isFlag(value, cve.kev?.knownRansomware ?? false),
  kev_added_after: ({ cve }, value) => cve.kev?.dateAdded >= value,
  kev_added_before: ({ cve }, value) => cve.kev?.dateAdded <= value,
  kev_in: ({ cve }, value) =>
    hasAny(
      value,
      cve.exploits.kev_catalogs.filter((each: Json) => each.removed_at === null).map((each: Json) => each.name),
    ),
  exploit_maturity: ({ cve }, value) => hasAny(value, [cve.exploits.maturity]),
  evidence_min: ({ cve }, value) => countEvidence(cve) >= Number(value),
  ssvc_exploitation: ({ cve }, value) => hasAny(value, [cve.priority.ssvc?.exploitation]),
  ssvc_automatable: ({ cve }, value) => hasAny(value, [cve.priority.ssvc?.automatable]),
  ssvc_impact: ({ cve }, value) => hasAny(value, [cve.priority.ssvc?.technical_impact]),
}

const flag = fc.constantFrom('true', 'false')
const some = (...choices: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 2 }).map((list) => list.join(','))
const day = fc.constantFrom('2021-11-03', '2022-03-25', '2023-06-02', '2024-04-12', '2025-01-01', '2026-08-01')

const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  cwe: some('CWE-20', 'CWE-78', 'CWE-79', 'CWE-89', 'CWE-94', 'CWE-400', 'CWE-502', 'CWE-787', 'CWE-1'),
  technique: some('T1190', 'T1059', 'T1068', 'T1210', 'T1505.003', 'T1505', 'T1203'),
  product: some('log4j', 'windows_server_2012', 'fortios', 'exchange_server', 'linux_kernel', 'chrome', 'nothing'),
  product_vendor: some('microsoft', 'apache', 'fortinet', 'cisco', 'google', 'linux', 'nobody'),
  assigner: some('microsoft', 'apache', 'fortinet', 'cisco', 'mitre', 'redhat', 'chrome', 'nobody'),
  has_fix: flag,
  has_cvss: flag,
  has_epss: flag,
  score_version: some('2', '3', '4'),
  epss_percentile_min: fc.constantFrom('0', '0.5', '0.9', '0.99', '0.999', '1'),
  ransomware: flag,
  kev_added_after: day,
  kev_added_before: day,
  kev_in: some('cisa', 'eu'),
  exploit_maturity: some('none', 'poc', 'functional', 'weaponized', 'active', 'ransomware'),
  evidence_min: fc.constantFrom('1', '2', '3', '5', '10', '30'),
  ssvc_exploitation: some('none', 'poc', 'active'),
  ssvc_automatable: some('yes', 'no'),
  ssvc_impact: some('partial', 'total'),
}

const NAMES = Object.keys(VALUES)

type Query = Readonly<Record<string, string>>

/** One filter alone, or two or three that a single record can match together. */
const anyQuery: fc.Arbitrary<Query> = fc
  .tuple(fc.record(VALUES), fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }))
  .map(([values, names]) => Object.fromEntries(names.map((name) => [name, values[name] ?? ''])))
  .filter(({ kev_added_after: after, kev_added_before: before }) => !after || !before || after <= before)

/**
 * Returns false for CVEs whose record does not show what the filters read: products without CPE names, CNAs outside the
 * CVE List.
 */
function isShown(record: ServedRecord, query: Query): boolean {
  if ('has_fix' in query && !record.hasFullDetail) return false
  if ('assigner' in query && record.assigner === undefined) return false
  return !('product' in query || 'product_vendor' in query) || listProducts(record).length > 0
}

function matches(record: ServedRecord, query: Query): boolean {
  const { product, product_vendor: vendor } = query
  const isOneProduct =
    product === undefined ||
    vendor === undefined ||
    listProducts(record).some((each) => hasAny(product, [each.product]) && hasAny(vendor, [each.vendor]))
  return isOneProduct && Object.entries(query).every(([name, value]) => FILTERS[name]?.(record, value))
}

async function expectAgreement(query: Query): Promise<void> {
  const parameters = new URLSearchParams({ ...query, limit: '100', fields: 'cve_id' }).toString()
  const found = listCveIds((await get(`/api/v1/cves?${parameters}`)).json.data)
  const shown = records.filter((record) => isShown(record, query))
  const expected = shown.filter((record) => matches(record, query)).map(({ id }) => id)
  expect(found.filter((id) => shown.some((record) => record.id === id)).sort()).toEqual(expected.sort())
}

describe('GET /api/v1/cves: filters on the sample records', () => {
  const runs = chooseBySize({ short: 30, long: 1000 })

  it(`returns the CVEs whose records match for ${runs} random combinations of filters`, { timeout: 1_800_000 }, () =>
    fc.assert(fc.asyncProperty(anyQuery, expectAgreement), {
      numRuns: runs,
      ...chooseBySize({ short: { seed: 24 }, long: {} }),
    }),
  )

  it.each(NAMES)('finds some CVEs in the sample, but not all, by %s', async (name) => {
    const values = fc.sample(VALUES[name] ?? fc.constant(''), { numRuns: 30, seed: 24 })
    const counts = values.map((value) => records.filter((record) => matches(record, { [name]: value })).length)
    expect(counts.some((count) => count > 0 && count < records.length)).toBe(true)
    for (const value of new Set(values)) await expectAgreement({ [name]: value })
  })
})
