import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../support/builders.ts'
import { cve } from '../../support/catalog/cve-builder.ts'
import { listCveIds } from '../../support/catalog/page-through.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

await given(
  ...Array.from({ length: 6 }, (_, at) =>
    cve(`CVE-2024-000${at}`, {
      score: at + 3,
      sources: ['cve', 'ghsa', 'nvd'],
      modified: `2024-01-0${at + 1}T00:00:00Z`,
    }),
  ),
)

const get = (query: string, key?: string) => api.get(`/api/v1/cves?${query}`, key === undefined ? {} : { key })

async function expectRejection(query: string, parameter: string, value: unknown) {
  const { status, json } = await get(query)
  expect([status, json.error?.code, json.error?.parameter, json.error?.value], query).toEqual([
    400,
    'INVALID_PARAMETER',
    parameter,
    value,
  ])
  return json.error
}

describe('GET /api/v1/cves: parameter validation', () => {
  it.each([
    ['severity=urgent', 'severity', 'urgent'],
    ['severity=high,urgent', 'severity', 'urgent'],
    ['sort=Severity_desc', 'sort', 'Severity_desc'],
    ['sort=', 'sort', ''],
    ['severity_min=10.1', 'severity_min', '10.1'],
    ['severity_max=-1', 'severity_max', '-1'],
    ['epss_min=1.1', 'epss_min', '1.1'],
    ['epss_max=2', 'epss_max', '2'],
    ['cvss_min=11', 'cvss_min', '11'],
    ['cpe_count_min=0', 'cpe_count_min', '0'],
    ['published_after=2024-02-30', 'published_after', '2024-02-30'],
    ['modified_before=yesterday', 'modified_before', 'yesterday'],
    ['kev=1', 'kev', '1'],
    ['exploit=TRUE', 'exploit', 'TRUE'],
    ['exploitable=', 'exploitable', ''],
    ['has_references=0', 'has_references', '0'],
    ['has_acsc=yes', 'has_acsc', 'yes'],
    ['patched=no&include=enrichment', 'patched', 'no'],
    ['attack_vector=X&include=enrichment', 'attack_vector', 'X'],
    ['status=Unknown', 'status', 'Unknown'],
    ['include=everything', 'include', 'everything'],
    ['fields=cve_id,unknown', 'fields', 'unknown'],
    ['severity_min=8&severity_max=7.9', 'severity_min', '8'],
    ['epss_min=0.2&epss_max=0.1', 'epss_min', '0.2'],
    ['published_after=2024-01-02&published_before=2024-01-01', 'published_after', '2024-01-02'],
    ['modified_after=2024-01-02&modified_before=2024-01-01T23:59:59Z', 'modified_after', '2024-01-02'],
    ['limit=5&limit=6', 'limit', '5'],
    ['kev[]=true', 'kev[]', 'true'],
  ])('returns 400 for %s', async (query, parameter, value) => {
    await expectRejection(query, parameter, value)
  })

  it('suggests a parameter name or value for a misspelled one', async () => {
    const error = await expectRejection('severty=high', 'severty', 'high')
    expect(error.details.errors[0].did_you_mean).toBe('severity')
    const word = await expectRejection('sort=severity_dsc', 'sort', 'severity_dsc')
    expect(word.details.errors[0].did_you_mean).toBe('severity_desc')
  })

  it.each([
    ['id', 'ids'],
    ['cve_ids', 'ids'],
    ['cveId', 'ids'],
    ['cvss_max', 'severity_max'],
    ['max_cvss', 'severity_max'],
    ['min_cvss', 'cvss_min'],
    ['cpeName', 'cpe'],
    ['package_url', 'purl'],
    ['software', 'q'],
    ['keywordSearch', 'q'],
    ['pubStartDate', 'published_after'],
    ['since', 'modified_after'],
    ['offset', 'after'],
    ['per_page', 'limit'],
    ['sort_by', 'sort'],
    ['in_kev', 'kev'],
  ])('suggests for the name %s, which other APIs use, the parameter %s', async (name, suggestion) => {
    const { details } = await expectRejection(`${name}=5`, name, '5')
    expect(details.errors[0].did_you_mean).toBe(suggestion)
  })

  it('reports all validation errors at once in the order of the specification', async () => {
    const error = await expectRejection('limit=0&kev=1&severity=x&vendor=nvd', 'severity', 'x')
    expect(error.details.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'severity',
      'kev',
      'vendor',
      'limit',
    ])
  })

  it('accepts equal lower and upper bounds', async () => {
    for (const query of [
      'severity_min=7&severity_max=7',
      'epss_min=0&epss_max=0',
      'published_after=2024-01-01&published_before=2024-01-01',
      'modified_after=2024-01-01T23:59:59Z&modified_before=2024-01-01',
    ]) {
      expect((await get(query)).status, query).toBe(200)
    }
  })
})

describe('GET /api/v1/cves: cursor', () => {
  const fetchCursor = async (query: string, key?: string): Promise<string> =>
    (await get(`limit=2&${query}`, key)).json.data.pagination.nextCursor

  it('continues after the page that returned the cursor, even if limit, fields or include differ', async () => {
    const after = await fetchCursor('sort=severity_desc')
    const next = async (more: string) => listCveIds((await get(`sort=severity_desc&after=${after}&${more}`)).json.data)
    expect(await next('limit=2')).toEqual(['CVE-2024-0003', 'CVE-2024-0002'])
    expect(await next('limit=3&fields=cve_id&include=attack')).toEqual([
      'CVE-2024-0003',
      'CVE-2024-0002',
      'CVE-2024-0001',
    ])
  })

  it('accepts a cursor for an equivalent query with explicit defaults or another order', async () => {
    const after = await fetchCursor('severity=high,medium&status=Analyzed&q=Overflow')
    for (const same of [
      'status=analyzed&severity=Medium&severity=high&q=overflow',
      'q=%20overflow&severity=high,medium,high&status=Analyzed&sort=published_desc',
    ]) {
      expect((await get(`${same}&after=${after}`)).status, same).toBe(200)
    }
  })

  it.each([
    'sort=severity_asc',
    'kev=false',
    'severity=high',
    'q=overflow',
    'published_after=2020-01-01',
    'ids=CVE-2024-0001',
  ])('rejects a cursor of a query without filters in a query with %s', async (query) => {
    const after = await fetchCursor('')
    await expectRejection(`${query}&after=${after}`, 'after', after)
  })

  it('rejects an invalid or changed cursor and charges nothing', async () => {
    const used = async () => (await api.get('/api/v1/usage')).json.data.usage.credits_used
    const after = await fetchCursor('')
    const before = await used()
    for (const invalid of ['0', 'e30', after.slice(0, -2), `${after}AA`, `A${after.slice(1)}B`]) {
      await expectRejection(`after=${invalid}`, 'after', invalid)
    }
    expect(await used()).toBe(before)
  })

  it('returns the first page for an empty cursor', async () => {
    expect((await get('after=')).json.data.cves).toHaveLength(6)
  })

  it('checks the plan again for the cursor of a query for an enterprise source', async () => {
    const key = createTestKey()
    await given(account('enterprise').withKey(key))
    const query = 'vendor=ghsa&include=enrichment'
    const after = await fetchCursor(query, key.key)
    expect((await get(`${query}&after=${after}`, key.key)).status).toBe(200)
    expect((await get(`${query}&after=${after}`)).status).toBe(403)
  })

  it.each(['modified_asc', 'modified_desc'])(
    'returns no CVE twice with sort=%s when a CVE changes between pages',
    async (sort) => {
      const ids = Array.from({ length: 6 }, (_, at) => `CVE-2024-000${at}`)
      const first = (await get(`limit=2&sort=${sort}`)).json.data
      const [changed = ''] = listCveIds(first)
      await given(cve(changed, { modified: '2026-08-20T00:00:00Z', sources: ['cve', 'ghsa', 'nvd'] }))
      const seen = [...listCveIds(first)]
      for (let after = first.pagination.nextCursor; after !== undefined; ) {
        const page = await get(`limit=2&sort=${sort}&after=${after}`)
        seen.push(...listCveIds(page.json.data))
        after = page.json.data.pagination.nextCursor
      }
      expect(seen.toSorted()).toEqual(ids)
      const at = Number(changed.at(-1))
      await given(
        cve(changed, { score: at + 3, sources: ['cve', 'ghsa', 'nvd'], modified: `2024-01-0${at + 1}T00:00:00Z` }),
      )
    },
  )
})
