import { describe, expect, it } from 'vitest'
import { createTestDownload } from '../../support/network/downloads.ts'
import { startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream({ '/list': 'data' })
const elsewhere = await startUpstream({ '/list': 'data from elsewhere' }, { address: '127.0.0.2' })

/**
 * URL of the test server with a host name instead of its IP address. Each test decides to which address the name
 * resolves.
 */
const named = {
  url: upstream.url.replace('127.0.0.1', 'localhost'),
  host: upstream.host.replace('127.0.0.1', 'localhost'),
}
const address = (each: string) => ({ address: each, family: each.includes(':') ? 6 : 4 })

describe('download: allowed hosts', () => {
  it('sends no request to a host that is not allowed', async () => {
    const before = elsewhere.requests().length
    await expect(createTestDownload([upstream]).get('', { url: `${elsewhere.url}/list` })).rejects.toThrow(
      `${elsewhere.host} is not an allowed host, expected ${upstream.host}. Tried once.`,
    )
    expect(elsewhere.requests()).toHaveLength(before)
  })

  it('treats another port or name of an allowed server as a host that is not allowed', async () => {
    const download = createTestDownload([{ ...upstream, host: '127.0.0.1' }])
    await expect(download.get('/list')).rejects.toThrow(`${upstream.host} is not an allowed host`)
    await expect(createTestDownload([named]).get('', { url: `${upstream.url}/list` })).rejects.toThrow(
      'is not an allowed host',
    )
  })

  it('compares host names case-insensitively', async () => {
    const download = createTestDownload([{ ...named, host: named.host.toUpperCase() }])
    expect(await download.get('/list')).toMatchObject({ bytes: 4 })
  })

  it('requires https unless the host is private', async () => {
    await expect(createTestDownload([named], { privateHosts: [] }).get('/list')).rejects.toThrow(
      `http://${named.host} is not encrypted, expected https`,
    )
    await expect(createTestDownload([named]).get('', { url: `ftp://${named.host}/list` })).rejects.toThrow(
      'expected https',
    )
  })
})

describe('download: IP addresses of hosts', () => {
  const secure = { ...named, url: named.url.replace('http:', 'https:') }

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
    'fails before sending a request when the host resolves to %s',
    async (target) => {
      let lookups = 0
      const resolve = async () => {
        lookups += 1
        return [address(target)]
      }
      const before = upstream.requests().length

      await expect(createTestDownload([secure], { privateHosts: [], resolve }).get('/list')).rejects.toThrow(
        new RegExp(`forbidden address: ${target} is an? [a-z-]+ address, expected a public address\\. Tried once\\.`),
      )
      expect(lookups).toBe(1)
      expect(upstream.requests()).toHaveLength(before)
    },
  )

  it('fails when one of several addresses of the host is forbidden', async () => {
    const resolve = async () => [address('198.41.0.4'), address('127.0.0.1')]

    await expect(createTestDownload([secure], { privateHosts: [], resolve }).get('/list')).rejects.toThrow(
      '127.0.0.1 is a',
    )
  })

  it.each([
    ['127.0.0.1', 'https://127.0.0.1'],
    ['127.0.0.1', 'https://0x7f.1'],
    ['127.0.0.1', 'https://2130706433'],
    ['169.254.169.254', 'https://169.254.169.254'],
    ['[::1]', 'https://[::1]'],
    ['[::ffff:7f00:1]', 'https://[::ffff:127.0.0.1]'],
    ['[64:ff9b::a00:1]', 'https://[64:ff9b::10.0.0.1]'],
  ])('refuses the address %s when the URL writes it as %s', async (host, url) => {
    await expect(createTestDownload([{ host, url }], { privateHosts: [] }).get('/list')).rejects.toThrow(
      /resolves to a forbidden address/,
    )
  })

  it('connects to the IP address that was checked, with a single DNS lookup', async () => {
    const answers = [[address('127.0.0.1')], [address('127.0.0.2')]]
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      return answers[lookups - 1] ?? []
    }

    expect(await createTestDownload([named], { resolve }).get('/list')).toMatchObject({ bytes: 4 })
    expect(lookups).toBe(1)
  })

  it('accepts a loopback address for a host that is configured as private', async () => {
    const resolve = async () => [address('127.0.0.1')]

    expect(await createTestDownload([named], { resolve }).get('/list')).toMatchObject({ bytes: 4 })
  })

  it('refuses a link-local address even for a private host', async () => {
    const resolve = async () => [address('169.254.169.254')]

    await expect(createTestDownload([named], { resolve }).get('/list')).rejects.toThrow('is a link-local address')
  })

  it('fails when DNS has no address for the host', async () => {
    await expect(createTestDownload([named], { resolve: async () => [] }).get('/list')).rejects.toThrow(
      'has no address',
    )
  })
})
