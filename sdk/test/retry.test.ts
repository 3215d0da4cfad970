import { describe, expect, it } from 'vitest'
import { KNOWN, world } from './world.ts'

// A window of two seconds, so that waiting for its end can be watched.
const service = await world({ RATE_LIMIT_REQUESTS: '2', RATE_LIMIT_WINDOW_SECONDS: '2' })
await service.given(...KNOWN)

/** Fails as told, one word for each call, and then lets the real service answer. */
function failing(...words: readonly ('lost' | 'busy' | 'busy for long' | 'broken' | 'proxied')[]) {
  const left = [...words]
  const fetched: string[] = []
  const faulty: typeof fetch = async (input, init) => {
    const word = left.shift()
    fetched.push(word ?? 'real')
    if (word === undefined) return fetch(input, init)
    if (word === 'lost') throw new TypeError('fetch failed')
    if (word === 'proxied') return new Response('upstream reset', { status: 503 })
    const [status, code] = word === 'broken' ? [500, 'INTERNAL_ERROR'] : [503, 'SERVICE_UNAVAILABLE']
    const headers = { 'Retry-After': word === 'busy for long' ? '61' : '0' }
    return Response.json({ error: { code, message: word } }, { status, headers })
  }
  return { fetched, fetch: faulty }
}

describe('a call is tried again', () => {
  it('when the rate window is over, as Retry-After says', async () => {
    const free = await service.client({ plan: 'free' })
    service.seen.length = 0
    await Promise.all([1, 2, 3].map(() => free.cve('CVE-2024-0001', { fields: ['cve_id'] })))

    const refused = service.seen.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.retryAfter).toBeGreaterThan(0)
    expect(service.seen.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(Math.max(...service.seen.map(({ attempt }) => attempt))).toBeGreaterThan(1)
  })

  it('after 503, a batch too: refused calls cost nothing', async () => {
    const { fetch, fetched } = failing('busy', 'busy')
    const client = await service.client({ fetch })

    expect(await client.batch(['CVE-2024-0001'])).toMatchObject({ count: 1 })
    expect(fetched).toEqual(['busy', 'busy', 'real'])
  })

  it('when its answer was lost, on the way or in a proxy', async () => {
    const { fetch, fetched } = failing('lost', 'proxied')
    const client = await service.client({ fetch })

    expect(await client.cve('CVE-2024-0001')).toMatchObject({ cve_id: 'CVE-2024-0001' })
    expect(fetched).toEqual(['lost', 'proxied', 'real'])
  })
})

describe('a call is not tried again', () => {
  it('more often than told', async () => {
    const { fetch, fetched } = failing('busy', 'busy', 'busy')
    const client = await service.client({ fetch, retries: 1 })

    await expect(client.usage()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 0 })
    expect(fetched).toEqual(['busy', 'busy'])
  })

  it.each([
    ['lost', 'NETWORK_ERROR'],
    ['proxied', 'INVALID_RESPONSE'],
  ] as const)('when a batch was %s: it may have been paid for', async (word, code) => {
    const { fetch, fetched } = failing(word)
    const client = await service.client({ fetch })

    await expect(client.batch(['CVE-2024-0001'])).rejects.toMatchObject({ code })
    expect(fetched).toEqual([word])
  })

  it('when the service is broken', async () => {
    const { fetch, fetched } = failing('broken')
    const client = await service.client({ fetch })

    await expect(client.usage()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 })
    expect(fetched).toEqual(['broken'])
  })

  it('when the wait would be longer than a minute', async () => {
    const { fetch, fetched } = failing('busy for long')
    const client = await service.client({ fetch })

    await expect(client.usage()).rejects.toMatchObject({ retryAfter: 61 })
    expect(fetched).toEqual(['busy for long'])
  })

  it('once it is aborted, not even after the wait', async () => {
    const { fetch, fetched } = failing('lost', 'lost')
    const client = await service.client({ fetch })
    const asked = client.usage({ signal: AbortSignal.timeout(50) })

    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(fetched).toEqual(['lost'])
  })
})
