import { describe, expect, it } from 'vitest'
import { cve, statistic } from '../../service/test/support/catalog/cve-builder.ts'
import { KNOWN, world } from './world.ts'

const service = await world()
await service.given(
  ...KNOWN,
  cve('CVE-2020-0001', { isEnriched: false, score: null }),
  statistic({ totalCves: 4, totalKev: 2, totalWithEpss: 2, totalWithAcsc: 1, averageEpss: 0.955 }),
)
const client = await service.client()

describe('cve', () => {
  it('answers one CVE with what is always there, and KEV and EPSS where there are some', async () => {
    const found = await client.cve('cve-2021-44228')

    expect(found).toMatchObject({ cve_id: 'CVE-2021-44228', kev: { knownRansomware: true }, epss: { score: 0.97 } })
    expect(found.cvss.v3_1?.baseSeverity).toBe('CRITICAL')
    expect(found).not.toHaveProperty('attack')
  })

  it('adds what include asks for', async () => {
    const found = await client.cve('CVE-2021-44228', { include: ['attack', 'acsc', 'enrichment'] })

    expect(found.attack?.techniques).toEqual(['T1190', 'T1059.003'])
    expect(found.acsc?.[0]?.title).toBe('Logger is exploited')
    expect(found.enrichment?.exploit_flag).toBe(true)
  })

  it('leaves out what fields does not name', async () => {
    expect(await client.cve('CVE-2024-0001', { fields: ['cve_id', 'severity'] })).toEqual({
      cve_id: 'CVE-2024-0001',
      severity: 3.1,
    })
  })
})

describe('detail', () => {
  it('tells a full record', async () => {
    const detail = await client.detail('CVE-2021-44228')

    expect(detail).toMatchObject({ kind: 'full', blobStatus: 'available' })
    expect(detail.kind === 'full' && detail.record.metrics.exploitability.score).toBe(1)
  })

  it('from a partial one, with the reason', async () => {
    const detail = await client.detail('CVE-2024-0001')

    expect(detail).toMatchObject({ kind: 'partial', blobStatus: 'partial', enrichment: { cwe_list: ['CWE-79'] } })
    expect(detail.kind === 'partial' && detail.message).not.toBe('')
  })

  it('and from a missing one', async () => {
    const detail = await client.detail('CVE-2020-0001', { vendor: 'cve' })

    expect(detail).toMatchObject({ kind: 'partial', blobStatus: 'missing', vendor: 'cve', enrichment: null })
  })
})

describe('what costs little', () => {
  it('usage says what is left', async () => {
    const fresh = await service.client()
    await fresh.cve('CVE-2024-0001')

    expect(await fresh.usage()).toMatchObject({ plan: 'pro', credits_used: 5, credits_remaining: 29_995 })
  })

  it('stats, ping and pingLite answer', async () => {
    expect(await client.stats()).toMatchObject({ totalCves: 4, totalKev: 2 })
    expect(await client.ping()).toMatchObject({ status: 'ok', database: { connected: true } })
    expect(await client.pingLite()).toMatchObject({ status: 'ok' })
  })

  it('health needs no key, and does not send one', async () => {
    const sent: (string | null)[] = []
    const watched = await service.client({
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers).get('X-API-Key'))
        return fetch(input, init)
      },
    })

    expect((await watched.health()).datasets.kev).toHaveProperty('stale')
    expect(sent).toEqual([null])
  })
})

describe('onResponse', () => {
  it('is told of every answer, and never of the key', async () => {
    service.seen.length = 0
    const free = await service.client({ plan: 'free' })
    await free.cve('CVE-2024-0001', { fields: ['cve_id'] })

    expect(service.seen).toEqual([
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
    expect(JSON.stringify(service.seen)).not.toContain('vis_test_')
  })

  it('has no rate limit to tell of on paid plans', async () => {
    service.seen.length = 0
    await client.usage()

    expect(service.seen[0]?.rateLimit).toBeUndefined()
  })
})

describe('the address', () => {
  it('may have a path of its own', async () => {
    const asked: string[] = []
    const behind = await service.client({
      url: `${service.url}/intelligence`,
      fetch: (input, init) => {
        const { href } = new URL(input instanceof Request ? input.url : input)
        asked.push(href)
        return fetch(href.replace('/intelligence', ''), init)
      },
    })
    await behind.usage()

    expect(asked).toEqual([`${service.url}/intelligence/api/v1/usage`])
  })

  it.each(['vis.example.org', 'ftp://vis.example.org', 'https://me:secret@vis.example.org'])(
    'must be one of the web, without a user: not %s',
    async (url) => {
      await expect(service.client({ url })).rejects.toThrow(/http or https address without a user name/)
    },
  )
})
