import { createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { createCertificate } from '../../support/network/certificate.ts'
import { createTestDownload } from '../../support/network/downloads.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'

const [good, expired, misnamed] = [
  createCertificate(['127.0.0.1', 'localhost']),
  createCertificate(['127.0.0.1'], new Date('2021-01-01T00:00:00Z')),
  createCertificate(['upstream.example']),
]
const trusted = getCACertificates('default')
setDefaultCACertificates([...trusted, good.cert, expired.cert, misnamed.cert])
cleanUpAfterTests(() => setDefaultCACertificates(trusted))

describe('download: TLS', () => {
  it('downloads a file over TLS', async () => {
    const upstream = await startUpstream({ '/list': 'data' }, { certificate: good })
    const download = createTestDownload([upstream])

    expect(await download.get('/list')).toMatchObject({ bytes: 4 })
    expect(await download.content()).toBe('data')
  })

  it('verifies the certificate against the host name in the URL', async () => {
    const upstream = await startUpstream({ '/list': 'data' }, { certificate: good })
    const named = {
      url: upstream.url.replace('127.0.0.1', 'localhost'),
      host: upstream.host.replace('127.0.0.1', 'localhost'),
    }

    expect(await createTestDownload([named]).get('/list')).toMatchObject({ bytes: 4 })
  })

  it.each([
    ['is self-signed, expected one from a known authority', createCertificate(['127.0.0.1'])],
    ['has expired', expired],
    ['is for another host name', misnamed],
  ])('fails before sending a request when the certificate %s', async (problem, certificate) => {
    const upstream = await startUpstream({ '/list': 'data' }, { certificate })
    const download = createTestDownload([upstream])

    await expect(download.get('/list')).rejects.toThrow(`the server's certificate ${problem}. Tried once.`)
    expect(upstream.requests()).toHaveLength(0)
    expect(await download.files()).toEqual([])
  })

  it('fails when the server does not support TLS', async () => {
    const upstream = await startUpstream()
    const url = upstream.url.replace('http:', 'https:')

    await expect(createTestDownload([{ ...upstream, url }]).get('/list')).rejects.toThrow(
      'the server does not support TLS, or only an unsupported version. Tried once.',
    )
  })

  it('fails when the TLS handshake exceeds the connection timeout', async () => {
    const mute = createServer(() => {})
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve)
    })
    cleanUpAfterTests(() => mute.close())
    const address = mute.address()
    const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const download = createTestDownload([{ host, url: `https://${host}` }], {
      attempts: 1,
      timeouts: { connectMs: 40 },
    })

    await expect(download.get('/list')).rejects.toThrow('no connection was established within 0.04 s')
  })

  it('fails on a redirect from https to http, even to a private host', async () => {
    const plain = await startUpstream({ '/list': 'data' })
    const upstream = await startUpstream({ '/moved': behaviours.redirects(`${plain.url}/list`) }, { certificate: good })

    await expect(createTestDownload([upstream, plain]).get('/moved', { redirectHosts: [plain.host] })).rejects.toThrow(
      `redirects from https to http://${plain.host}, expected https`,
    )
    expect(plain.requests()).toHaveLength(0)
  })

  it('follows a redirect to another host over TLS', async () => {
    const assets = await startUpstream({ '/asset': 'data' }, { certificate: good })
    const upstream = await startUpstream(
      { '/moved': behaviours.redirects(`${assets.url}/asset`) },
      { certificate: good },
    )

    expect(await createTestDownload([upstream, assets]).get('/moved', { redirectHosts: [assets.host] })).toMatchObject({
      bytes: 4,
    })
  })
})
