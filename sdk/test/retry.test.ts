import { describe, expect, it } from 'vitest'
import { SAMPLE_CVES, startSdkSetup } from './sdk-setup.ts'

// The rate limit counts calls per two seconds instead of per minute, so that tests can wait for the end of this window.
const service = await startSdkSetup({ RATE_LIMIT_REQUESTS: '2', RATE_LIMIT_WINDOW_SECONDS: '2' })
await service.given(...SAMPLE_CVES)

/** Creates a fetch function whose first calls fail with the given failures. Later calls reach the real service. */
function createFailingFetch(...failures: readonly ('lost' | 'busy' | 'busy for long' | 'broken' | 'proxied')[]) {
  const left = [...failures]
  const fetched: string[] = []
  const failingFetch: typeof fetch = async (input, init) => {
    const failure = left.shift()
    fetched.push(failure ?? 'real')
    if (failure === undefined) return fetch(input, init)
    if (failure === 'lost') throw new TypeError('fetch failed')
    if (failure === 'proxied') return new Response('upstream reset', { status: 503 })
    const [status, code] = failure === 'broken' ? [500, 'INTERNAL_ERROR'] : [503, 'SERVICE_UNAVAILABLE']
    const headers = { 'Retry-After': failure === 'busy for long' ? '61' : '0' }
    return Response.json({ error: { code, message: failure } }, { status, headers })
  }
  return { fetched, fetch: failingFetch }
}

describe('SDK: calls that are retried', () => {
  it('retries after the Retry-After delay when the rate limit was exceeded', async () => {
    const free = await service.client({ plan: 'free' })
    service.responses.length = 0
    await Promise.all([1, 2, 3].map(() => free.cve('CVE-2024-0001', { fields: ['cve_id'] })))

    const rejected = service.responses.filter(({ status }) => status === 429)
    expect(rejected.length).toBeGreaterThan(0)
    expect(rejected[0]?.retryAfter).toBeGreaterThan(0)
    expect(service.responses.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(Math.max(...service.responses.map(({ attempt }) => attempt))).toBeGreaterThan(1)
  })

  it('retries a batch after 503, because rejected calls are free', async () => {
    const { fetch, fetched } = createFailingFetch('busy', 'busy')
    const client = await service.client({ fetch })

    expect(await client.batch(['CVE-2024-0001'])).toMatchObject({ count: 1 })
    expect(fetched).toEqual(['busy', 'busy', 'real'])
  })

  it('retries a GET call whose response was lost in the network or in a proxy', async () => {
    const { fetch, fetched } = createFailingFetch('lost', 'proxied')
    const client = await service.client({ fetch })

    expect(await client.cve('CVE-2024-0001')).toMatchObject({ cve_id: 'CVE-2024-0001' })
    expect(fetched).toEqual(['lost', 'proxied', 'real'])
  })
})

describe('SDK: calls that are not retried', () => {
  it('stops after the number of retries set by the retries option', async () => {
    const { fetch, fetched } = createFailingFetch('busy', 'busy', 'busy')
    const client = await service.client({ fetch, retries: 1 })

    await expect(client.usage()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 0 })
    expect(fetched).toEqual(['busy', 'busy'])
  })

  it.each([
    ['lost', 'NETWORK_ERROR'],
    ['proxied', 'INVALID_RESPONSE'],
  ] as const)(
    'does not retry a batch after the failure "%s" (%s), because the batch may have been charged',
    async (failure, code) => {
      const { fetch, fetched } = createFailingFetch(failure)
      const client = await service.client({ fetch })

      await expect(client.batch(['CVE-2024-0001'])).rejects.toMatchObject({ code })
      expect(fetched).toEqual([failure])
    },
  )

  it('does not retry after an internal error in the service', async () => {
    const { fetch, fetched } = createFailingFetch('broken')
    const client = await service.client({ fetch })

    await expect(client.usage()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 })
    expect(fetched).toEqual(['broken'])
  })

  it('does not retry if Retry-After is longer than a minute', async () => {
    const { fetch, fetched } = createFailingFetch('busy for long')
    const client = await service.client({ fetch })

    await expect(client.usage()).rejects.toMatchObject({ retryAfter: 61 })
    expect(fetched).toEqual(['busy for long'])
  })

  it('does not retry if the signal is aborted during the delay', async () => {
    const { fetch, fetched } = createFailingFetch('lost', 'lost')
    const client = await service.client({ fetch })
    const pending = client.usage({ signal: AbortSignal.timeout(50) })

    await expect(pending).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(fetched).toEqual(['lost'])
  })
})
