import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { createClient } from '../src/index.ts'
import { startSdkSetup } from './sdk-setup.ts'

const service = await startSdkSetup()
await publishExamples(service.database.url)
const requests: RequestInit[] = []
const client = await service.client({
  fetch: (url, init = {}) => {
    requests.push(init)
    return fetch(url, init)
  },
})

const LOGGER = {
  'bom-ref': 'logger',
  name: 'log4j',
  version: '2.14.1',
  cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*',
}
const cyclonedx = (...components: readonly object[]) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
const SMALL = cyclonedx(LOGGER)
const LARGE = cyclonedx(LOGGER, ...Array.from({ length: 400 }, (_, at) => ({ name: `shop-${at}`, version: '1.0' })))
const bytes = (document: object) => new TextEncoder().encode(JSON.stringify(document))

describe('client.scanSbom', () => {
  it.each([
    ['an object', SMALL],
    ['text', JSON.stringify(SMALL)],
    ['text with a byte order mark', `\ufeff${JSON.stringify(SMALL)}`],
    ['bytes', bytes(SMALL)],
    ['a buffer', bytes(SMALL).buffer],
    ['gzip', gzipSync(bytes(SMALL))],
  ])('reads a document given as %s', async (_, document) => {
    const { sbom, components, overview } = await client.scanSbom(document)

    expect(sbom).toMatchObject({ format: 'cyclonedx', spec_version: '1.6', components_read: 1 })
    expect(components).toMatchObject([{ ref: 'logger', verdict: 'affected', matches: [{ id: 'CVE-2021-44228' }] }])
    expect(overview.by_verdict.affected).toBe(1)
  })

  it('compresses large documents, and sends small ones as they are', async () => {
    const { overview } = await client.scanSbom(LARGE)
    expect(overview.components_total).toBe(401)
    expect(requests.at(-1)?.headers).toMatchObject({ 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' })
    const sent = requests.at(-1)?.body
    expect(sent instanceof Uint8Array && sent.byteLength).toBeLessThan(JSON.stringify(LARGE).length / 2)

    await client.scanSbom(SMALL)
    expect(requests.at(-1)?.headers).not.toHaveProperty('Content-Encoding')
  })

  it('says whether a match fails, and hides suppressed hits, even in compressed documents', async () => {
    const suppress = [{ id: 'CVE-2021-44228', reason: 'JNDI is removed from the file.' }]

    expect(await client.scanSbom(SMALL, { fail_on: 'P1' })).toMatchObject({ gate: { result: 'failed' } })
    for (const document of [SMALL, gzipSync(bytes(SMALL))]) {
      const { gate, components } = await client.scanSbom(document, {
        fail_on: 'P1',
        suppress,
        allow: ['uncovered:cpe:*'],
        own: ['pkg:npm/@acme/*'],
        max_data_age: '45d',
      })
      expect([gate?.result, components[0]?.suppressed_total]).toEqual(['passed', 1])
    }
  })

  it('returns a VEX document instead of components for the VEX formats', async () => {
    const scan = await client.scanSbom(SMALL, { format: 'openvex' })

    expect(scan).not.toHaveProperty('components')
    expect(scan).not.toHaveProperty('fix_plan')
    expect(scan.document).toMatchObject({ statements: [{ vulnerability: { name: 'CVE-2021-44228' } }] })
  })

  it('rejects with the path of an invalid member, even if there are suppressed hits', async () => {
    const document = { ...SMALL, specVersion: '1.2' }

    await expect(client.scanSbom(document)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      parameter: 'specVersion',
    })
    await expect(client.scanSbom(document, { suppress: [] })).rejects.toMatchObject({
      parameter: 'document.specVersion',
    })
    await expect(client.scanSbom('<bom/>', { suppress: [] })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  })

  it('rejects a damaged or oversized compressed document that it has to inflate, without making a call', async () => {
    const offline = createClient({ url: 'http://127.0.0.1:1', apiKey: '' })
    const bomb = gzipSync(new Uint8Array(10 * 1024 * 1024 + 1))
    const damaged = gzipSync(bytes(LARGE)).subarray(0, 100)

    await expect(offline.scanSbom(bomb, { suppress: [] })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      status: 0,
    })
    await expect(offline.scanSbom(damaged, { suppress: [] })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' })
  })
})
