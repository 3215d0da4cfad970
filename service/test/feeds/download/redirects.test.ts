import { describe, expect, it } from 'vitest'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()
const elsewhere = await startUpstream({ '/list': 'data from elsewhere' }, { address: '127.0.0.2' })

describe('download: redirects', () => {
  const both = [upstream, elsewhere]

  it.each([301, 302, 303, 307, 308])('fails on status %i when the feed allows no redirect', async (status) => {
    const before = elsewhere.requests().length
    upstream.serve('/moved', behaviours.redirects(`${elsewhere.url}/list?signature=secret`, status))

    const failure = createTestDownload(both).get('/moved')
    await expect(failure).rejects.toThrow(`redirects to ${elsewhere.host}, expected no redirect. Tried once.`)
    await expect(failure).rejects.not.toThrow('secret')
    expect(elsewhere.requests()).toHaveLength(before)
  })

  it('follows a redirect to a host that is configured as a redirect host', async () => {
    upstream.serve('/release', behaviours.redirects(`${elsewhere.url}/list`))
    const download = createTestDownload([upstream], { privateHosts: [upstream.host, elsewhere.host] })

    expect(await download.get('/release', { redirectHosts: [elsewhere.host] })).toMatchObject({ bytes: 19 })
    expect(await download.content()).toBe('data from elsewhere')
  })

  it('fails on a redirect to a host that is not configured as a redirect host', async () => {
    upstream.serve('/astray', behaviours.redirects('https://169.254.169.254/latest/meta-data'))

    await expect(createTestDownload(both).get('/astray', { redirectHosts: [elsewhere.host] })).rejects.toThrow(
      `redirects to 169.254.169.254, expected ${elsewhere.host}`,
    )
  })

  it('fails on a redirect to a link-local address, even if the address is configured as a redirect host', async () => {
    upstream.serve('/inward', behaviours.redirects('https://169.254.169.254/latest/meta-data'))

    await expect(createTestDownload(both).get('/inward', { redirectHosts: ['169.254.169.254'] })).rejects.toThrow(
      '169.254.169.254 is a link-local address',
    )
  })

  it('fails on a redirect to plain http unless the host is private', async () => {
    upstream.serve('/unsafe', behaviours.redirects(`${elsewhere.url}/list`))

    await expect(createTestDownload([upstream]).get('/unsafe', { redirectHosts: [elsewhere.host] })).rejects.toThrow(
      `http://${elsewhere.host} is not encrypted, expected https`,
    )
  })

  it('fails on a second redirect', async () => {
    upstream.serve('/first', behaviours.redirects('/second'))
    upstream.serve('/second', behaviours.redirects('/third'))

    await expect(createTestDownload([upstream]).get('/first', { redirectHosts: [upstream.host] })).rejects.toThrow(
      'the server answered 302 Found, expected 200 OK. Tried once.',
    )
    expect(upstream.requests('/first')).toHaveLength(1)
  })

  it("sends the feed's headers to the same host after a redirect, but not to another host", async () => {
    const request = { headers: { apiKey: 'secret' }, redirectHosts: [upstream.host, elsewhere.host] }
    upstream.serve('/out', behaviours.redirects(`${elsewhere.url}/list`))
    upstream.serve('/within', behaviours.redirects('/stays'))
    upstream.serve('/stays', 'data')

    await createTestDownload(both).get('/out', request)
    await createTestDownload(both).get('/within', request)
    expect(upstream.requests('/out')[0]?.headers).toHaveProperty('apikey', 'secret')
    expect(elsewhere.requests('/list').at(-1)?.headers).not.toHaveProperty('apikey')
    expect(upstream.requests('/stays')[0]?.headers).toHaveProperty('apikey', 'secret')
  })

  it('fails on a redirect without a Location header', async () => {
    upstream.serve('/nowhere', behaviours.answers(302))

    await expect(createTestDownload(both).get('/nowhere', { redirectHosts: [elsewhere.host] })).rejects.toThrow(
      'the server answered 302 Found without a valid location',
    )
  })
})
