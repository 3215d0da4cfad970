// The thread that reads documents, tested with hostile documents and with limits that are reached.
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { createScanner, SCANNER_LIMITS } from '../../../src/matching/sbom/thread/scanner.ts'
import { createTestDatabase } from '../../support/database.ts'

const { url } = await createTestDatabase()
const settings = {
  databaseUrl: url,
  poolLimits: { poolSize: 1, statementTimeoutMs: 20_000, lockTimeoutMs: 20_000, acquireTimeoutMs: 20_000 },
}
const OPTIONS = {
  confidenceMin: 'medium',
  maxLevel: 'P4',
  maxMatches: 100,
  isSameHost: true,
  format: 'json',
  gate: undefined,
  author: 'test',
  now: new Date('2026-08-22T12:00:00Z'),
} as const
const NEVER = new AbortController().signal
const scanner = createScanner(settings)
afterAll(() => scanner.close())

const plain = (text: string) => ({ bytes: new Uint8Array(Buffer.from(text)), isGzip: false })
const gzip = (bytes: Buffer) => ({ bytes: new Uint8Array(gzipSync(bytes)), isGzip: true })
const HEAD = '{"bomFormat":"CycloneDX","specVersion":"1.6","components":['
const MEBIBYTE = 1024 * 1024

describe('Reading hostile documents', () => {
  it.each([
    ['a gzip bomb of 100 MB', gzip(Buffer.alloc(100_000_000)), 'PAYLOAD_TOO_LARGE'],
    ['several gzip members that are too large together', gzipMembers(12), 'PAYLOAD_TOO_LARGE'],
    ['bytes that are not gzip', { ...plain('{}'), isGzip: true }, 'INVALID_PARAMETER'],
    ['arrays nested 100,000 levels deep', plain('['.repeat(1e5) + ']'.repeat(1e5)), 'INVALID_PARAMETER'],
    ['components nested 100,000 levels deep', plain(`${HEAD}${'{"components":['.repeat(1e5)}`), 'INVALID_PARAMETER'],
    ['1,000,000 components', plain(`${HEAD}${'{},'.repeat(1e6)}{}]}`), 'INVALID_PARAMETER'],
    ['10 MiB of empty arrays', plain(`[${'[],'.repeat(3.4e6)}[]]`), 'INVALID_PARAMETER'],
    ['a string of 10 MiB without an end', plain(`{"a":"${'\\"'.repeat(5e6)}`), 'INVALID_PARAMETER'],
    ['bytes that are not UTF-8', { bytes: new Uint8Array([0x22, 0xff, 0x22]), isGzip: false }, 'INVALID_PARAMETER'],
  ])('rejects %s, without another thread', async (_, sent, code) => {
    await scanner.prepare()
    const started = performance.now()
    await expect(scanner.scan(sent, OPTIONS, NEVER)).rejects.toMatchObject({ code })
    // It takes a second on an idle machine; tests also run on busy ones.
    expect(performance.now() - started).toBeLessThan(5000)
    expect(scanner.startedThreads()).toBe(1)
  })

  it('uses the last of duplicate keys, and skips a name of 9 MiB', async () => {
    const text = `{"bomFormat":"Other","bomFormat":"CycloneDX","specVersion":"1.3","specVersion":"1.6","components":[{"name":"${'x'.repeat(9 * MEBIBYTE)}"}]}`
    const { sbom } = JSON.parse((await scanner.scan(plain(text), OPTIONS, NEVER)).join(''))
    expect(sbom).toMatchObject({ spec_version: '1.6', components_read: 0, components_skipped_total: 1 })
  })
})

/** Returns gzip members of 1 MiB each, which a reader must inflate one after the other. */
function gzipMembers(count: number) {
  const member = gzipSync(Buffer.alloc(MEBIBYTE, ' '))
  return { bytes: new Uint8Array(Buffer.concat(Array.from({ length: count }, () => member))), isGzip: true }
}

describe('Thread limits', () => {
  /** Objects with a name of their own each need much more memory than their text. */
  const large = () => {
    const objects = Array.from({ length: 300_000 }, (_, at) => `{"name-${at}":"${at}"}`)
    return plain(`${HEAD}{"name":"lark","x":[${objects.join()}]}]}`)
  }

  it('returns 413 if a document needs more memory than the thread has, and reads the next one in another thread', async () => {
    const small = createScanner(settings, { ...SCANNER_LIMITS, timeLimitMs: 100_000, heapMegabytes: 24 })
    await expect(small.scan(large(), OPTIONS, NEVER)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(JSON.parse((await small.scan(plain(`${HEAD}]}`), OPTIONS, NEVER)).join('')).sbom.components_read).toBe(0)
    expect(small.startedThreads()).toBe(2)
    await small.close()
  })

  it('returns 503 if a document takes too long, and reads the next one in another thread', async () => {
    const slow = createScanner(settings, { ...SCANNER_LIMITS, timeLimitMs: 1, abortGraceMs: 1 })
    await expect(slow.scan(large(), OPTIONS, NEVER)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(slow.scan(large(), OPTIONS, NEVER)).rejects.toThrow('took longer than 0.001 s')
    expect(slow.startedThreads()).toBe(2)
    await slow.close()
    await expect(slow.scan(large(), OPTIONS, NEVER)).rejects.toThrow('The node stops.')
  })

  it('returns 503 while the database is unavailable', async () => {
    const away = createScanner({ ...settings, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' })
    await expect(away.scan(plain(`${HEAD}]}`), OPTIONS, NEVER)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await away.close()
  })
})
