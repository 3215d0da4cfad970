// Filters by weakness, product, assigner, exploit evidence, SSVC and disagreement, on /cves and /cves/recent.
import { describe, expect, it } from 'vitest'
import { FILTER_ENTRIES } from '../../../src/search/filters/table.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

const PLAIN = { cwes: [], assigner: null } as const
const automatable = { value: 'yes', source: 'cisa-adp' } as const
const technicalImpact = { value: 'total', source: 'cisa-adp' } as const

// The number in a CVE id shows which filter the CVE tests; CVE-2026-0000 and CVE-2026-0001 match few filters.
await given(
  cve('CVE-2026-0000', { ...PLAIN, score: null }),
  cve('CVE-2026-0001', { ...PLAIN, status: 'Rejected' }),
  cve('CVE-2026-1001', { ...PLAIN, cwes: ['CWE-79', 'CWE-352'] }),
  cve('CVE-2026-1002', { ...PLAIN, cwes: ['CWE-790'] }),
  cve('CVE-2026-1003', { ...PLAIN, techniques: ['T1059.001'] }),
  cve('CVE-2026-1004', { ...PLAIN, techniques: ['T1059', 'T1190'] }),
  cve('CVE-2026-2001', { ...PLAIN, products: ['fortinet/fortios', 'acme/router_os'] }),
  cve('CVE-2026-2002', { ...PLAIN, products: ['fortinet/fortiproxy', 'acme/fortios'] }),
  cve('CVE-2026-2003', { ...PLAIN, assigner: 'GitHub_M' }),
  cve('CVE-2026-3001', { ...PLAIN, hasFix: true, scoreVersion: 4 }),
  cve('CVE-2026-3002', { ...PLAIN, scoreVersion: 2, epss: [0.3, 0.95] }),
  cve('CVE-2026-4001', {
    ...PLAIN,
    kev: { dateAdded: '2026-07-01', knownRansomware: true },
    maturity: 5,
    evidenceCount: 3,
  }),
  cve('CVE-2026-4002', { ...PLAIN, kev: { dateAdded: '2026-07-02' } }),
  cve('CVE-2026-4003', { ...PLAIN, maturity: 2, evidenceCount: 1, euKevSince: '2026-07-02' }),
  cve('CVE-2026-5001', { ...PLAIN, disagreements: 1 }),
  cve('CVE-2026-5002', { ...PLAIN, disagreements: 6 }),
  cve('CVE-2026-5003', { ...PLAIN, disagreements: 9 }),
  cve('CVE-2026-6001', { ...PLAIN, facts: { automatable, technicalImpact, hasPublicExploit: true } }),
  cve('CVE-2026-6002', { ...PLAIN, facts: { automatable: { ...automatable, value: 'no' } } }),
)

const LISTS = ['/api/v1/cves?limit=100', '/api/v1/cves/recent?days=30&limit=500'] as const

/** Returns the numbers in the ids of the CVEs that a list returns, sorted by id. */
async function find(list: string, query: string): Promise<readonly number[]> {
  const { status, json } = await api.get(`${list}&${query}`)
  expect([status, json.error]).toEqual([200, undefined])
  return listCveIds(json.data)
    .map((id) => Number(id.slice(9)))
    .sort((a, b) => a - b)
}

const ALL = await find(LISTS[0], '')

const EXPECTED: readonly (readonly [query: string, numbers: readonly number[]])[] = [
  ['cwe=CWE-79', [1001]],
  ['cwe=cwe-352,CWE-790', [1001, 1002]],
  ['cwe=CWE-1', []],
  ['technique=T1059', [1003, 1004]],
  ['technique=t1059.001', [1003]],
  ['technique=T1190,T1003', [1004]],
  ['product=fortios', [2001, 2002]],
  ['product=FortiOS,FortiProxy', [2001, 2002]],
  ['product=forti', []],
  ['product=router%20os', [2001]],
  ['product_vendor=Fortinet', [2001, 2002]],
  ['product_vendor=fortinet&product=fortios', [2001]],
  ['product_vendor=acme&product=fortios,router_os', [2001, 2002]],
  ['product_vendor=nobody', []],
  ['assigner=github_m', [2003]],
  ['assigner=GitHub_M,mitre', [2003]],
  ['has_fix=true', [3001]],
  ['score_version=2,4', [3001, 3002]],
  ['epss_percentile_min=0.95', [3002]],
  ['epss_percentile_min=0.96', []],
  ['has_epss=true', [3002]],
  ['has_cvss=false', [0]],
  ['ransomware=true', [4001]],
  ['kev_in=eu', [4003]],
  ['kev_added_after=2026-07-01', [4001, 4002]],
  ['kev_added_after=2026-07-02', [4002]],
  ['kev_added_before=2026-07-01', [4001]],
  ['kev_added_after=2026-07-01&kev_added_before=2026-07-01', [4001]],
  ['exploit_maturity=functional', [4003]],
  ['exploit_maturity=active,Ransomware', [4001, 4002]],
  ['evidence_min=1', [4001, 4002, 4003]],
  ['evidence_min=2', [4001]],
  ['ssvc_exploitation=active', [4001, 4002, 4003]],
  ['ssvc_exploitation=poc', [6001]],
  ['ssvc_automatable=yes', [6001]],
  ['ssvc_automatable=no', [6002]],
  ['ssvc_impact=total', [6001]],
  ['ssvc_impact=partial', []],
  ['score_disagreement=true', [5001, 5003]],
  ['disagree=score', [5001, 5003]],
  ['disagree=affected,kev_ssvc', [5002, 5003]],
  ['disagree=rejected', [5002]],
]

describe.each(LISTS)('GET %s: further filters', (list) => {
  it.each(EXPECTED)('filters by %s', async (query, numbers) => {
    expect(await find(list, query)).toEqual(numbers)
  })

  it('leaves out a rejected CVE from every value of ssvc_exploitation', async () => {
    expect(await find(list, 'ssvc_exploitation=none,poc,active')).toEqual(ALL.filter((number) => number !== 1))
  })

  it.each(['has_fix', 'has_cvss', 'has_epss', 'ransomware', 'score_disagreement'])(
    'returns each CVE for either true or false of %s',
    async (flag) => {
      const [yes, no] = [await find(list, `${flag}=true`), await find(list, `${flag}=false`)]
      expect(yes.length).toBeGreaterThan(0)
      expect(no.length).toBeGreaterThan(0)
      expect([...yes, ...no].sort((a, b) => a - b)).toEqual(ALL)
    },
  )

  it.each([
    ['cwe=79', 'cwe', 'must be a CWE id such as CWE-79; write CWE-79'],
    ['cwe=CWE-', 'cwe', 'CWE-79'],
    ['cwe=NVD-CWE-noinfo', 'cwe', 'CWE-79'],
    ['technique=1059', 'technique', 'T1059.001'],
    ['technique=TA0001', 'technique', 'tactics'],
    ['technique=T1059.1', 'technique', 'T1059.001'],
    ['score_version=3.1', 'score_version', 'one of 2, 3, 4'],
    ['evidence_min=0', 'evidence_min', 'at least 1'],
    ['epss_percentile_min=95', 'epss_percentile_min', 'from 0 to 1'],
    ['exploit_maturity=high', 'exploit_maturity', 'ransomware'],
    ['disagree=cvss', 'disagree', 'score'],
    ['ssvc_automatable=true', 'ssvc_automatable', 'yes'],
    [`product=${'x'.repeat(129)}`, 'product', 'at most 128 characters'],
    [`cwe=${Array.from({ length: 21 }, (_, n) => `CWE-${n + 1}`).join(',')}`, 'cwe', 'at most 20 items'],
    [
      'kev_added_after=2026-07-02&kev_added_before=2026-07-01',
      'kev_added_after',
      'must not be later than kev_added_before',
    ],
    ['kev_added_after=2026-07-01T00:00:00Z', 'kev_added_after', 'YYYY-MM-DD'],
  ])('rejects %s and names the problem', async (query, parameter, message) => {
    const { status, json } = await api.get(`${list}&${query}`)
    expect([status, json.error.code, json.error.parameter]).toEqual([400, 'INVALID_PARAMETER', parameter])
    expect(JSON.stringify(json.error)).toContain(message)
  })
})

describe.each([
  ['search', '/api/v1/cves'],
  ['recent', '/api/v1/cves/recent'],
] as const)('cursors of the list %s', (list, path) => {
  it.each(
    FILTER_ENTRIES.filter(([, { lists }]) => lists.includes(list)).map(([name, { parameter, needs }]) => ({
      name,
      query: new URLSearchParams({ [name]: String(parameter.example), ...(needs && { include: needs }) }).toString(),
    })),
  )('are valid only with the same value of $name', async ({ query }) => {
    const start = `${path}?limit=1${list === 'recent' ? '&days=30' : ''}`
    const cursor: string = (await api.get(start)).json.data.pagination.nextCursor

    const same = await api.get(`${start}&after=${cursor}`)
    const other = await api.get(`${start}&after=${cursor}&${query}`)

    expect(same.status).toBe(200)
    expect([other.status, other.json.error?.parameter]).toEqual([400, 'after'])
  })
})
