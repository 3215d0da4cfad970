import { describe, expect, it } from 'vitest'
import { testDownload } from '../../support/network/downloads.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream()
const elsewhere = await startUpstream({ '/list': 'data from elsewhere' }, { address: '127.0.0.2' })

describe('A redirect', () => {
  const both = [upstream, elsewhere]

  it.each([301, 302, 303, 307, 308])('with %i is a fault, unless the feed expects one', async (status) => {
    const before = elsewhere.requests().length
    upstream.serve('/moved', manners.redirects(`${elsewhere.url}/list?signature=secret`, status))

    const failure = testDownload(both).get('/moved')
    await expect(failure).rejects.toThrow(`redirects to ${elsewhere.host}, expected no redirect. Tried once.`)
    await expect(failure).rejects.not.toThrow('secret')
    expect(elsewhere.requests()).toHaveLength(before)
  })

  it('is followed to a host that the feed names', async () => {
    upstream.serve('/release', manners.redirects(`${elsewhere.url}/list`))
    const download = testDownload([upstream], { privateHosts: [upstream.host, elsewhere.host] })

    expect(await download.get('/release', { redirectHosts: [elsewhere.host] })).toMatchObject({ bytes: 19 })
    expect(await download.content()).toBe('data from elsewhere')
  })

  it('is not followed to another host than those', async () => {
    upstream.serve('/astray', manners.redirects('https://169.254.169.254/latest/meta-data'))

    await expect(testDownload(both).get('/astray', { redirectHosts: [elsewhere.host] })).rejects.toThrow(
      `redirects to 169.254.169.254, expected ${elsewhere.host}`,
    )
  })

  it('is not followed to an address where no upstream is, even to a host that the feed names', async () => {
    upstream.serve('/inward', manners.redirects('https://169.254.169.254/latest/meta-data'))

    await expect(testDownload(both).get('/inward', { redirectHosts: ['169.254.169.254'] })).rejects.toThrow(
      '169.254.169.254 is a link-local address',
    )
  })

  it('is not followed to plain http, unless the host is private', async () => {
    upstream.serve('/unsafe', manners.redirects(`${elsewhere.url}/list`))

    await expect(testDownload([upstream]).get('/unsafe', { redirectHosts: [elsewhere.host] })).rejects.toThrow(
      `http://${elsewhere.host} is not safe, expected https`,
    )
  })

  it('is followed once', async () => {
    upstream.serve('/first', manners.redirects('/second'))
    upstream.serve('/second', manners.redirects('/third'))

    await expect(testDownload([upstream]).get('/first', { redirectHosts: [upstream.host] })).rejects.toThrow(
      'the server answered 302 Found, expected 200 OK. Tried once.',
    )
    expect(upstream.requests('/first')).toHaveLength(1)
  })

  it('does not take the headers of the feed to another host, and keeps them on the same', async () => {
    const request = { headers: { apiKey: 'secret' }, redirectHosts: [upstream.host, elsewhere.host] }
    upstream.serve('/out', manners.redirects(`${elsewhere.url}/list`))
    upstream.serve('/within', manners.redirects('/stays'))
    upstream.serve('/stays', 'data')

    await testDownload(both).get('/out', request)
    await testDownload(both).get('/within', request)
    expect(upstream.requests('/out')[0]?.headers).toHaveProperty('apikey', 'secret')
    expect(elsewhere.requests('/list').at(-1)?.headers).not.toHaveProperty('apikey')
    expect(upstream.requests('/stays')[0]?.headers).toHaveProperty('apikey', 'secret')
  })

  it('is a fault when it does not say where to', async () => {
    upstream.serve('/nowhere', manners.answers(302))

    await expect(testDownload(both).get('/nowhere', { redirectHosts: [elsewhere.host] })).rejects.toThrow(
      'the server answered 302 Found without saying where to go',
    )
  })
})
