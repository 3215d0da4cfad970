import { createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../../support/cleanup.ts'
import { makeCertificate } from '../../support/network/certificate.ts'
import { testDownload } from '../../support/network/downloads.ts'
import { manners, startUpstream } from '../../support/network/upstream.ts'

const [good, expired, misnamed] = [
  makeCertificate(['127.0.0.1', 'localhost']),
  makeCertificate(['127.0.0.1'], new Date('2021-01-01T00:00:00Z')),
  makeCertificate(['upstream.example']),
]
const trusted = getCACertificates('default')
setDefaultCACertificates([...trusted, good.cert, expired.cert, misnamed.cert])
atEnd(() => setDefaultCACertificates(trusted))

describe('A secure connection', () => {
  it('brings the data', async () => {
    const upstream = await startUpstream({ '/list': 'data' }, { certificate: good })
    const download = testDownload([upstream])

    expect(await download.get('/list')).toMatchObject({ bytes: 4 })
    expect(await download.content()).toBe('data')
  })

  it('holds the name in the address against the certificate, whatever the name resolves to', async () => {
    const upstream = await startUpstream({ '/list': 'data' }, { certificate: good })
    const named = {
      url: upstream.url.replace('127.0.0.1', 'localhost'),
      host: upstream.host.replace('127.0.0.1', 'localhost'),
    }

    expect(await testDownload([named]).get('/list')).toMatchObject({ bytes: 4 })
  })

  it.each([
    ['is self-signed, expected one from a known authority', makeCertificate(['127.0.0.1'])],
    ['has expired', expired],
    ['is made out to another name', misnamed],
  ])('does not come about when the certificate %s', async (words, certificate) => {
    const upstream = await startUpstream({ '/list': 'data' }, { certificate })
    const download = testDownload([upstream])

    await expect(download.get('/list')).rejects.toThrow(`the certificate of the server ${words}. Tried once.`)
    expect(upstream.requests()).toHaveLength(0)
    expect(await download.files()).toEqual([])
  })

  it('does not come about when the server does not speak TLS', async () => {
    const upstream = await startUpstream()
    const url = upstream.url.replace('http:', 'https:')

    await expect(testDownload([{ ...upstream, url }]).get('/list')).rejects.toThrow(
      'the server does not speak TLS, or a kind of TLS that we do not accept. Tried once.',
    )
  })

  it('does not come about when the server never answers the greeting', async () => {
    const mute = createServer(() => {})
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve)
    })
    atEnd(() => mute.close())
    const address = mute.address()
    const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const download = testDownload([{ host, url: `https://${host}` }], { attempts: 1, patience: { connectMs: 40 } })

    await expect(download.get('/list')).rejects.toThrow('no connection came about within 0.04 s')
  })

  it('is not given up for a plain one by a redirect, not even to a private host', async () => {
    const plain = await startUpstream({ '/list': 'data' })
    const upstream = await startUpstream({ '/moved': manners.redirects(`${plain.url}/list`) }, { certificate: good })

    await expect(testDownload([upstream, plain]).get('/moved', { redirectHosts: [plain.host] })).rejects.toThrow(
      `redirects from https to http://${plain.host}, expected https`,
    )
    expect(plain.requests()).toHaveLength(0)
  })

  it('follows a redirect to another secure host', async () => {
    const assets = await startUpstream({ '/asset': 'data' }, { certificate: good })
    const upstream = await startUpstream({ '/moved': manners.redirects(`${assets.url}/asset`) }, { certificate: good })

    expect(await testDownload([upstream, assets]).get('/moved', { redirectHosts: [assets.host] })).toMatchObject({
      bytes: 4,
    })
  })
})
