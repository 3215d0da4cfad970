import { describe, expect, it } from 'vitest'
import { cve, statistic } from '../../service/test/support/catalog/cve-builder.ts'
import type { Configuration, CpeMatch, Cvss, Enrichment, SourceStatement, ValueSources } from '../src/index.ts'
import { SAMPLE_CVES, startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await service.given(
  ...SAMPLE_CVES,
  cve('CVE-2020-0001', { isEnriched: false, score: null }),
  statistic({ totalCves: 4, totalKev: 2, totalWithEpss: 2, totalWithAcsc: 1, averageEpss: 0.955 }),
)
const client = await service.client()

describe('client.cve', () => {
  it('returns one CVE with KEV and EPSS, and without acsc, attack and enrichment', async () => {
    const found = await client.cve('cve-2021-44228')

    expect(found).toMatchObject({ cve_id: 'CVE-2021-44228', kev: { knownRansomware: true }, epss: { score: 0.97 } })
    expect(found.cvss.v3_1?.baseSeverity).toBe('CRITICAL')
    expect(found).not.toHaveProperty('attack')
  })

  it('has named types for the large members of a CVE', async () => {
    const include = ['configurations', 'enrichment', 'sources'] as const
    const found = await client.cve('CVE-2021-44228', { include })
    const cvss: Cvss = found.cvss
    const cpe: readonly CpeMatch[] = found.cpe
    const configurations: readonly Configuration[] = found.configurations ?? []
    const enrichment: Enrichment | undefined = found.enrichment ?? undefined
    const sources: ValueSources | undefined = found.sources
    const { disagreements = [], ...values } = sources ?? {}
    const statements: readonly SourceStatement[] = Object.values(values).flatMap(({ stated_by }) => stated_by)

    expect([cvss.v3_1?.version, cpe.length > 0, enrichment?.cpe_count]).toEqual(['3.1', true, cpe.length])
    expect(configurations.flatMap(({ nodes }) => nodes.flatMap(({ cpe_match }) => cpe_match))).toEqual(cpe)
    expect(sources?.source_tag?.stated_by[0]?.source).toBe('nvd')
    expect(statements.map(({ source }) => source)).toContain('nvd')
    expect(disagreements.every(({ text }) => text !== '')).toBe(true)
  })

  it('returns the members named by include', async () => {
    const found = await client.cve('CVE-2021-44228', { include: ['attack', 'acsc', 'enrichment'] })

    expect(found.attack?.techniques).toEqual(['T1190', 'T1059.003'])
    expect(found.acsc?.[0]?.title).toBe('Logbook is exploited')
    expect(found.enrichment?.exploit_flag).toBe(true)
  })

  it('returns only the members named by fields', async () => {
    expect(await client.cve('CVE-2024-0001', { fields: ['cve_id', 'severity'] })).toEqual({
      cve_id: 'CVE-2024-0001',
      severity: 3.1,
    })
  })
})

describe('client.detail', () => {
  it('returns a full record with kind full', async () => {
    const detail = await client.detail('CVE-2021-44228')

    expect(detail).toMatchObject({ kind: 'full', blobStatus: 'available' })
    expect(detail.kind === 'full' && detail.record.metrics.exploitability.score).toBe(1)
  })

  it('returns kind partial with the reason if there is no full record', async () => {
    const detail = await client.detail('CVE-2024-0001')

    expect(detail).toMatchObject({ kind: 'partial', blobStatus: 'partial', enrichment: { cwe_list: ['CWE-79'] } })
    expect(detail.kind === 'partial' && detail.message).not.toBe('')
  })

  it('returns kind partial with blobStatus missing if the CVE is not enriched', async () => {
    const detail = await client.detail('CVE-2020-0001', { vendor: 'cve' })

    expect(detail).toMatchObject({ kind: 'partial', blobStatus: 'missing', vendor: 'cve', enrichment: null })
  })
})

describe('client: usage, stats, ping and health', () => {
  it('returns used and remaining credits', async () => {
    const fresh = await service.client()
    await fresh.cve('CVE-2024-0001')

    expect(await fresh.usage()).toMatchObject({ plan: 'pro', credits_used: 5, credits_remaining: 29_995 })
  })

  it('returns statistics and the results of both pings', async () => {
    expect(await client.stats()).toMatchObject({ totalCves: 4, totalKev: 2 })
    expect(await client.ping()).toMatchObject({ status: 'ok', database: { connected: true } })
    expect(await client.pingLite()).toMatchObject({ status: 'ok' })
  })

  it('sends no key to /health', async () => {
    const sentKeys: (string | null)[] = []
    const observed = await service.client({
      fetch: (input, init) => {
        sentKeys.push(new Headers(init?.headers).get('X-API-Key'))
        return fetch(input, init)
      },
    })

    expect((await observed.health()).datasets.kev).toHaveProperty('stale')
    expect(sentKeys).toEqual([null])
  })
})

describe('client: option onResponse', () => {
  it('passes every response to onResponse, never with the key', async () => {
    service.responses.length = 0
    const free = await service.client({ plan: 'free' })
    await free.cve('CVE-2024-0001', { fields: ['cve_id'] })

    expect(service.responses).toEqual([
      {
        method: 'GET',
        path: '/api/v1/cve/CVE-2024-0001?fields=cve_id',
        status: 200,
        correlationId: expect.stringMatching(/^req_/),
        rateLimit: { remaining: 59, resetAt: expect.any(Date) },
        retryAfter: undefined,
        durationMs: expect.any(Number),
        attempt: 1,
      },
    ])
    expect(JSON.stringify(service.responses)).not.toContain('vis_test_')
  })

  it('passes no rateLimit to onResponse on paid plans', async () => {
    service.responses.length = 0
    await client.usage()

    expect(service.responses[0]?.rateLimit).toBeUndefined()
  })
})

describe('client: option url', () => {
  it('keeps the path of the url option in requests', async () => {
    const requested: string[] = []
    const behindProxy = await service.client({
      url: `${service.url}/intelligence`,
      fetch: (input, init) => {
        const { href } = new URL(input instanceof Request ? input.url : input)
        requested.push(href)
        return fetch(href.replace('/intelligence', ''), init)
      },
    })
    await behindProxy.usage()

    expect(requested).toEqual([`${service.url}/intelligence/api/v1/usage`])
  })

  it.each(['vis.example.org', 'ftp://vis.example.org', 'https://me:secret@vis.example.org'])(
    'rejects the URL %s, which is not a plain http address or contains a user name',
    async (url) => {
      await expect(service.client({ url })).rejects.toThrow(/http or https address without a user name/)
    },
  )
})
