// Work in threads that is aborted, too large, or takes too long.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MatchCall } from '../../../src/matching/answer/answer.ts'
import { createMatcher, MATCHER_LIMITS } from '../../../src/matching/sbom/thread/matcher.ts'
import { createScanner } from '../../../src/matching/sbom/thread/scanner.ts'
import { createTestDatabase } from '../../support/database.ts'
import { readRows } from '../../support/run-statements.ts'
import { storeLargeProduct } from '../matching/large-product.ts'

const { url } = await createTestDatabase()
await storeLargeProduct(url, 'router', 6000)
const settings = {
  databaseUrl: url,
  poolLimits: { poolSize: 4, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 },
}
const NEVER = new AbortController().signal
const GONE = new Error('the caller is gone')
/** On an idle machine, aborted work ends much sooner; tests also run on busy ones. */
const [ENDS_WITHIN_MS, GRACE_MS] = [5000, 20_000]
const matcher = createMatcher(settings, { ...MATCHER_LIMITS, timeLimitMs: 120_000, abortGraceMs: GRACE_MS })
const scanner = createScanner(settings, { timeLimitMs: 120_000, heapMegabytes: 256, abortGraceMs: GRACE_MS })
beforeAll(() => Promise.all([matcher.prepare(), scanner.prepare()]))
afterAll(() => Promise.all([matcher.close(), scanner.close()]))

const call = (versions: readonly string[]): MatchCall => ({
  components: versions.map((version) => ({ vendor: 'examplesoft', product: 'router', version })),
  confidenceMin: 'medium',
  maxLevel: 'P4',
  maxMatches: 500,
  isSameHost: true,
  suppressions: [],
  now: new Date('2026-08-22T12:00:00Z'),
})
const list = (count: number) => Array.from({ length: count }, (_, index) => `1.${index}`)
const sbom = (versions: readonly string[]) => {
  const components = versions.map((version) => ({
    type: 'library',
    name: 'x',
    cpe: `cpe:2.3:a:examplesoft:router:${version}:*:*:*:*:*:*:*`,
  }))
  const text = JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components })
  return { bytes: new Uint8Array(Buffer.from(text)), isGzip: false }
}

/** Returns how long the work continues after it is aborted. */
async function abortAfter(ms: number, work: (signal: AbortSignal) => Promise<unknown>) {
  const controller = new AbortController()
  const ended = work(controller.signal)
  const settled = expect(ended).rejects.toBe(GONE)
  await new Promise((resolve) => setTimeout(resolve, ms))
  const aborted = performance.now()
  controller.abort(GONE)
  await settled
  return performance.now() - aborted
}

describe('Aborted work', () => {
  it('ends in the thread before its promise settles, and the thread serves the next call', async () => {
    expect(await abortAfter(300, (signal) => matcher.match(call(list(100)), signal))).toBeLessThan(ENDS_WITHIN_MS)
    expect(matcher.running()).toBe(0)
    const answer = JSON.parse((await matcher.match(call(['1.5998']), NEVER)).join(''))
    expect(answer.components[0].matches_total).toBe(2)
    expect(matcher.startedThreads()).toBe(1)
  })

  it('includes the running statement, which is cancelled', async () => {
    const blocker = new Client({ connectionString: url })
    await blocker.connect()
    await blocker.query('begin; lock table catalog.affected in access exclusive mode')
    expect(await abortAfter(1000, (signal) => matcher.find(search, signal))).toBeLessThan(ENDS_WITHIN_MS)
    const waiting = await readRows(
      url,
      "select query from pg_stat_activity where application_name = 'vis-documents' and state = 'active'",
    )
    expect(waiting).toEqual([])
    await blocker.end()
    expect((await matcher.find(search, NEVER)).advisoryCount).toBe(2)
  })

  const component = {
    by: 'cpe',
    kind: 'cpe',
    vendor: 'examplesoft',
    product: 'router',
    version: { text: '1.5998', base: '1.5998', update: null },
    target: null,
    edition: null,
  } as const
  const search = { component, parameter: 'cpe', now: new Date('2026-08-22T00:00:00Z') } as const

  it('terminates the thread if it does not stop by itself in time', async () => {
    const strict = createScanner(settings, { timeLimitMs: 120_000, heapMegabytes: 256, abortGraceMs: 0 })
    await strict.prepare()
    await abortAfter(0, (signal) => strict.read(sbom(list(2000)), signal))
    expect(strict.running()).toBe(0)
    await strict.read(sbom(['1.1']), NEVER)
    expect(strict.startedThreads()).toBe(2)
    await strict.close()
  })
})

describe('Too much work', () => {
  it('is refused by the estimate for a document with 5,000 versions of one product', async () => {
    await expect(scanner.read(sbom(list(5000)), NEVER)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('send fewer versions of the same product'),
    })
    await scanner.read(sbom(list(1000)), NEVER)
  })

  it('that needs more memory than the thread has fails alone', async () => {
    const small = createScanner(settings, { timeLimitMs: 120_000, heapMegabytes: 24, abortGraceMs: GRACE_MS })
    await expect(small.match(call(list(100)), NEVER)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    const roomy = JSON.parse((await scanner.match(call(['1.5999']), NEVER)).join(''))
    expect(roomy.overview.components_total).toBe(1)
    await small.close()
  })
})
