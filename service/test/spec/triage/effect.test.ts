// What triage states do to POST /match and POST /sbom.
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { claimComplete } from '../../support/coverage.ts'
import { post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'
import { createTriager, list, set, type Triager } from './triage-setup.ts'

const service = await startTestService()
const { api, given } = service
const catalog = await createCatalogHarness(service.database.url)

const ROUTER = 'cpe:2.3:a:examplesoft:router:*:*:*:*:*:*:*:*'
const [OLD, LATER, EXPLOITED, RISING] = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003']

const LOW = { metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.8)] } }
const range = (limits: object, product = 'router') => ({
  nodes: [
    {
      operator: 'OR',
      negate: false,
      cpeMatch: [{ vulnerable: true, criteria: `cpe:2.3:a:examplesoft:${product}:*:*:*:*:*:*:*:*`, ...limits }],
    },
  ],
})
const store = (id: string, limits: object, product?: string) =>
  catalog.storeRecord('nvd', id, nvdRecord(id, { ...LOW, configurations: [range(limits, product)] }))

await store(OLD, { versionEndExcluding: '3.0' })
await store(LATER, { versionStartIncluding: '3.0', versionEndExcluding: '4.0' })
await store(EXPLOITED, { versionEndExcluding: '9.0' }, 'switch')
await store(RISING, { versionEndExcluding: '9.0' }, 'hub')
await catalog.publish()
await catalog.selectRows(claimComplete(['nvd', 'cve', 'kev', 'eukev', 'overrides'], service.clock.now()))

const component = (product: string, version: string) => ({ vendor: 'examplesoft', product, version })

async function match({ key }: Pick<Triager, 'key'>, components: readonly object[], triage?: string) {
  const { status, json } = await post(api, key, '/api/v1/match', { components, ...(triage && { triage }) })
  expect(status).toBe(200)
  return json.data
}

const SBOM = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [
    { type: 'library', name: 'router', version: '2.5', cpe: 'cpe:2.3:a:examplesoft:router:2.5:*:*:*:*:*:*:*' },
  ],
}

/** On a busy machine, the thread that reads documents may answer 503 while it starts. */
async function scan({ key }: Pick<Triager, 'key'>, query: string, body: object = SBOM) {
  let answer = await post(api, key, `/api/v1/sbom?${query}`, body)
  while (answer.status === 503) answer = await post(api, key, `/api/v1/sbom?${query}`, body)
  expect(answer.status).toBe(200)
  return answer.json.data
}

const accepted = { scope: ROUTER, state: 'accepted', action_statement: 'The router is replaced in March.' }

describe('States of the account in POST /api/v1/match', () => {
  it('hide a finding within their scope, and say so', async () => {
    const triager = await createTriager(service)
    await set(api, triager, { cve_id: OLD, ...accepted })
    const { components, triage } = await match(triager, [component('router', '2.5')], 'apply')
    expect(components[0]).toMatchObject({ matches_total: 0, suppressed_total: 1 })
    expect(components[0].suppressed).toEqual([
      {
        id: OLD,
        reason: 'The router is replaced in March.',
        state: 'accepted',
        scope: ROUTER,
        version_range: null,
        set_by: expect.stringMatching(/^key:\d+$/),
      },
    ])
    expect(triage).toMatchObject({ applied: true, entries_total: 1, suppressed_total: 1, reopened_total: 0 })
    expect(triage.suppressed_by).toEqual([{ actor: components[0].suppressed[0].set_by, count: 1 }])
  })

  it('hide nothing that a state affected is about, unless their scope is a part of its scope', async () => {
    const triager = await createTriager(service)
    const judge = async (version: string) => {
      const { components } = await match(triager, [component('router', version)], 'apply')
      return components[0].suppressed_total
    }
    await set(api, triager, { cve_id: OLD, ...accepted })
    await set(api, triager, { cve_id: OLD, scope: ROUTER, version_range: '>=2.0', state: 'affected' })
    expect(await judge('1.5')).toBe(1)
    expect(await judge('2.5')).toBe(0)

    await set(api, triager, { cve_id: LATER, scope: ROUTER, state: 'under_investigation' })
    expect(await judge('3.5')).toBe(0)
    await set(api, triager, { cve_id: LATER, ...accepted, version_range: '>=3.2' })
    expect(await judge('3.5')).toBe(1)
    expect(await judge('3.1')).toBe(0)
  })

  it('hide again when the day until which a state affected applies is over', async () => {
    const triager = await createTriager(service)
    await set(api, triager, { cve_id: OLD, ...accepted })
    const until = new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    await set(api, triager, { cve_id: OLD, scope: ROUTER, version_range: '>=2.0', state: 'affected', until })
    const judge = async () =>
      (await match(triager, [component('router', '2.5')], 'apply')).components[0].suppressed_total
    expect(await judge()).toBe(0)
    service.clock.advance({ hours: 72 })
    expect(await judge()).toBe(1)
    service.clock.advance({ hours: -72 })
  })

  it.each([undefined, 'ignore'])('hide nothing with triage=%s', async (use) => {
    const triager = await createTriager(service)
    await set(api, triager, { cve_id: OLD, ...accepted })
    const { components, triage } = await match(triager, [component('router', '2.5')], use)
    expect([components[0].matches_total, components[0].suppressed_total, triage]).toEqual([1, 0, undefined])
  })

  it('hide nothing with a key without the scope, and the answer says so', async () => {
    const [reader, writer] = [createTestKey(), createTestKey()]
    await given(
      account('pro')
        .withKey(reader)
        .withKey(writer, { scopes: ['triage'] }),
    )
    await set(api, writer, { cve_id: OLD, ...accepted })
    const { components, triage } = await match(reader, [component('router', '2.5')], 'apply')
    expect(components[0].suppressed_total).toBe(0)
    expect(triage).toMatchObject({
      applied: false,
      not_applied_because: expect.stringContaining('scope triage'),
      entries_total: 0,
    })
  })

  it.each([
    ['the scope *', { scope: '*' }],
    ['another product', { scope: 'cpe:2.3:a:examplesoft:switch:*:*:*:*:*:*:*:*' }],
    ['another vendor', { scope: 'cpe:2.3:a:othersoft:router:*:*:*:*:*:*:*:*' }],
    ['other versions', { version_range: '<2.5' }],
    ['another edition', { scope: 'cpe:2.3:a:examplesoft:router:*:*:*:*:pro:*:*:*' }],
    ['a package of the same name', { scope: 'pkg:generic/router' }],
    ['a state that says affected', { state: 'affected' }],
    ['a state that is not decided', { state: 'under_investigation', action_statement: undefined }],
    ['an end that has passed', { until: '2020-01-01' }],
  ])('hide nothing with %s', async (_, change) => {
    const triager = await createTriager(service)
    expect((await set(api, triager, { cve_id: OLD, ...accepted, ...change })).status).toBe(200)
    const { components } = await match(triager, [component('router', '2.5')], 'apply')
    expect([components[0].matches_total, components[0].suppressed_total]).toEqual([1, 0])
  })

  it("hide nothing of another account's findings", async () => {
    await set(api, await createTriager(service), { cve_id: OLD, ...accepted })
    const { components, triage } = await match(await createTriager(service), [component('router', '2.5')], 'apply')
    expect([components[0].matches_total, triage.entries_total]).toEqual([1, 0])
  })

  it('do not make a version outside the range look clean', async () => {
    const triager = await createTriager(service)
    await store('CVE-2026-1010', { versionEndExcluding: '6.0' }, 'bridge')
    await store('CVE-2026-1011', { versionEndExcluding: '5.0' }, 'bridge')
    await catalog.publish()
    const bridge = 'cpe:2.3:a:examplesoft:bridge:*:*:*:*:*:*:*:*'
    const change = { cve_id: 'CVE-2026-1010', scope: bridge, state: 'accepted', version_range: '<5.0' }
    expect((await set(api, triager, change)).status).toBe(200)
    const { components } = await match(triager, [component('bridge', '2.0')], 'apply')
    expect(components[0]).toMatchObject({ matches_total: 1, suppressed_total: 1 })
    expect(components[0].upgrade_to.version).toBe('6.0')
  })

  it('reopen when the CVE becomes exploited, with the reason', async () => {
    const triager = await createTriager(service)
    const scope = 'cpe:2.3:a:examplesoft:switch:*:*:*:*:*:*:*:*'
    await set(api, triager, { cve_id: EXPLOITED, scope, state: 'accepted' })
    const before = await match(triager, [component('switch', '2.5')], 'apply')
    expect(before.components[0].suppressed_total).toBe(1)

    await catalog.storeKev([{ cveId: EXPLOITED }])
    await catalog.publish()

    const after = await match(triager, [component('switch', '2.5')], 'apply')
    expect(after.components[0]).toMatchObject({ matches_total: 1, suppressed_total: 0 })
    expect(after.triage).toMatchObject({ suppressed_total: 0, reopened_total: 1 })
    expect(after.triage.reopened).toEqual([
      {
        cve_id: EXPLOITED,
        scope,
        version_range: null,
        set_by: expect.stringMatching(/^key:/),
        reopened_by: ['exploited', 'priority_raised'],
      },
    ])
    expect(await list(api, triager, '?effect=reopened')).toMatchObject([
      { cve_id: EXPLOITED, effect: 'reopened', reopened_by: ['exploited', 'priority_raised'] },
    ])

    // Who sets the state again has seen that the CVE is exploited.
    await set(api, triager, { cve_id: EXPLOITED, scope, state: 'accepted', revision: 1 })
    const again = await match(triager, [component('switch', '2.5')], 'apply')
    expect(again.components[0].suppressed_total).toBe(1)
  })

  it('reopen when the level rises, unless the entry says otherwise', async () => {
    const [triager, other] = [await createTriager(service), await createTriager(service)]
    const scope = 'cpe:2.3:a:examplesoft:hub:*:*:*:*:*:*:*:*'
    await set(api, triager, { cve_id: RISING, scope, state: 'accepted' })
    await set(api, other, { cve_id: RISING, scope, state: 'accepted', unless: ['exploited'] })
    const critical = { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] }
    await catalog.storeRecord(
      'nvd',
      RISING,
      nvdRecord(RISING, { metrics: critical, configurations: [range({ versionEndExcluding: '9.0' }, 'hub')] }),
    )
    await catalog.publish()
    const [raised, kept] = [
      await match(triager, [component('hub', '2.5')], 'apply'),
      await match(other, [component('hub', '2.5')], 'apply'),
    ]
    expect(raised.triage.reopened).toMatchObject([{ cve_id: RISING, reopened_by: ['priority_raised'] }])
    expect(kept.triage).toMatchObject({ suppressed_total: 1, reopened_total: 0 })
  })
})

describe('States of the account in POST /api/v1/sbom', () => {
  it('never let a gate pass silently', async () => {
    const triager = await createTriager(service)
    await set(api, triager, { cve_id: OLD, ...accepted })
    const failed = await scan(triager, 'fail_on=P4')
    expect([failed.gate.result, failed.gate.hidden, failed.triage]).toEqual(['failed', [], undefined])

    const { gate, triage } = await scan(triager, 'fail_on=P4&triage=apply')

    const actor = triage.suppressed_by[0].actor
    expect(gate.result).toBe('passed')
    expect(gate.hidden).toEqual([
      { set_by: actor, hits_total: 1, count: 1, listed: [expect.objectContaining({ index: 0, ids: [OLD] })] },
    ])
    expect(gate.warnings).toEqual([`1 hit that would count is hidden by triage states that ${actor} set.`])
  })

  it('name what entries of suppress hide from a gate', async () => {
    const body = { document: SBOM, suppress: [{ id: OLD, reason: 'assessed' }] }
    const { gate } = await scan(await createTriager(service), 'fail_on=P4', body)
    expect(gate.hidden).toMatchObject([{ set_by: 'suppress', hits_total: 1 }])
    expect(gate.warnings).toEqual(['1 hit that would count is hidden by entries of suppress.'])
  })

  it('repeat an accepted risk as affected in a VEX document', async () => {
    const triager = await createTriager(service)
    await set(api, triager, { cve_id: OLD, ...accepted })
    const { document } = await scan(triager, 'format=openvex&triage=apply')
    expect(document.statements).toMatchObject([
      { vulnerability: { name: OLD }, status: 'affected', action_statement: 'The router is replaced in March.' },
    ])
  })
})
