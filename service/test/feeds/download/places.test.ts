import { describe, expect, it } from 'vitest'
import { testDownload } from '../../support/network/downloads.ts'
import { startUpstream } from '../../support/network/upstream.ts'

const upstream = await startUpstream({ '/list': 'data' })
const elsewhere = await startUpstream({ '/list': 'data from elsewhere' }, { address: '127.0.0.2' })

/** The same server, by a name: what it resolves to is up to the test. */
const named = {
  url: upstream.url.replace('127.0.0.1', 'localhost'),
  host: upstream.host.replace('127.0.0.1', 'localhost'),
}
const address = (each: string) => ({ address: each, family: each.includes(':') ? 6 : 4 })

describe('A host', () => {
  it('is not asked unless it is one of those that were named', async () => {
    const before = elsewhere.requests().length
    await expect(testDownload([upstream]).get('', { url: `${elsewhere.url}/list` })).rejects.toThrow(
      `${elsewhere.host} is not a host that may be asked, expected ${upstream.host}. Tried once.`,
    )
    expect(elsewhere.requests()).toHaveLength(before)
  })

  it('is another one on another port, and under another name', async () => {
    const download = testDownload([{ ...upstream, host: '127.0.0.1' }])
    await expect(download.get('/list')).rejects.toThrow(`${upstream.host} is not a host that may be asked`)
    await expect(testDownload([named]).get('', { url: `${upstream.url}/list` })).rejects.toThrow('is not a host')
  })

  it('is the same one in capitals', async () => {
    const download = testDownload([{ ...named, host: named.host.toUpperCase() }])
    expect(await download.get('/list')).toMatchObject({ bytes: 4 })
  })

  it('is asked over https only, unless it is a private one', async () => {
    await expect(testDownload([named], { privateHosts: [] }).get('/list')).rejects.toThrow(
      `http://${named.host} is not safe, expected https`,
    )
    await expect(testDownload([named]).get('', { url: `ftp://${named.host}/list` })).rejects.toThrow('expected https')
  })
})

describe('An address', () => {
  const secure = { ...named, url: named.url.replace('http:', 'https:') }

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
    'is refused when a name leads to %s, once and before anything is sent',
    async (target) => {
      let asked = 0
      const resolve = async () => {
        asked += 1
        return [address(target)]
      }
      const before = upstream.requests().length

      await expect(testDownload([secure], { privateHosts: [], resolve }).get('/list')).rejects.toThrow(
        new RegExp(`no upstream is: ${target} is an? [a-z-]+ address, expected a public one\\. Tried once\\.`),
      )
      expect(asked).toBe(1)
      expect(upstream.requests()).toHaveLength(before)
    },
  )

  it('is refused when only one of several is bad', async () => {
    const resolve = async () => [address('198.41.0.4'), address('127.0.0.1')]

    await expect(testDownload([secure], { privateHosts: [], resolve }).get('/list')).rejects.toThrow('127.0.0.1 is a')
  })

  it.each([
    ['127.0.0.1', 'https://127.0.0.1'],
    ['127.0.0.1', 'https://0x7f.1'],
    ['127.0.0.1', 'https://2130706433'],
    ['169.254.169.254', 'https://169.254.169.254'],
    ['[::1]', 'https://[::1]'],
    ['[::ffff:7f00:1]', 'https://[::ffff:127.0.0.1]'],
    ['[64:ff9b::a00:1]', 'https://[64:ff9b::10.0.0.1]'],
  ])('%s is refused when it is written in the address, as %s', async (host, url) => {
    await expect(testDownload([{ host, url }], { privateHosts: [] }).get('/list')).rejects.toThrow(
      /leads into a network where no upstream is/,
    )
  })

  it('is the one that was checked: DNS is asked once, and cannot change its mind', async () => {
    const answers = [[address('127.0.0.1')], [address('127.0.0.2')]]
    let asked = 0
    const resolve = async () => {
      asked += 1
      return answers[asked - 1] ?? []
    }

    expect(await testDownload([named], { resolve }).get('/list')).toMatchObject({ bytes: 4 })
    expect(asked).toBe(1)
  })

  it('may be private when the operator says that the host is', async () => {
    const resolve = async () => [address('127.0.0.1')]

    expect(await testDownload([named], { resolve }).get('/list')).toMatchObject({ bytes: 4 })
  })

  it('of a private host may still not be that of a metadata service', async () => {
    const resolve = async () => [address('169.254.169.254')]

    await expect(testDownload([named], { resolve }).get('/list')).rejects.toThrow('is a link-local address')
  })

  it('is missing when DNS knows none', async () => {
    await expect(testDownload([named], { resolve: async () => [] }).get('/list')).rejects.toThrow('knows no address')
  })
})
