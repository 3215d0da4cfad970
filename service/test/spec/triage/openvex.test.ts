import { describe, expect, it } from 'vitest'
import { post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'
import { createTriager, LODASH, list, set, TRIAGE, type Triager } from './triage-setup.ts'

const { api, given } = await startTestService()

const ENTRIES = [
  { cve_id: 'CVE-2021-23337', scope: LODASH, state: 'fixed', note: 'patched' },
  {
    cve_id: 'CVE-2021-23337',
    scope: LODASH,
    version_range: '>=4.0.0|<4.17.21',
    state: 'not_affected',
    justification: 'component_not_present',
    impact_statement: 'It is not in the image.',
    until: '2027-01-31',
  },
  { cve_id: 'CVE-2021-23337', scope: '*', state: 'under_investigation' },
  { cve_id: 'CVE-2024-1000', scope: 'pkg:npm/a@1.0.0', state: 'affected', action_statement: 'Upgrade.' },
  {
    cve_id: 'CVE-2024-1000',
    scope: 'cpe:2.3:a:b:c:*:*:*:*:*:*:*:*',
    version_range: '<2',
    state: 'accepted',
    unless: ['exploited'],
  },
  { cve_id: 'CVE-2024-1000', scope: 'pkg:npm/old', state: 'accepted', until: '2020-01-01', action_statement: 'none' },
]

const exportAll = async ({ key }: Triager) => (await api.get(`${TRIAGE}/openvex`, { key })).json.data

const importAll = async ({ key }: Triager, document: object, more: object = {}) =>
  post(api, key, `${TRIAGE}/openvex`, { document, ...more })

/** Without who set an entry, when, and its revision. */
const toComparable = (entries: readonly Record<string, unknown>[]) =>
  entries.map(({ set_at: _at, set_by: _by, revision: _revision, ...rest }) => rest)

describe('OpenVEX documents of triage', () => {
  it('come back in another account without a difference', async () => {
    const [one, other] = [await createTriager({ given }), await createTriager({ given })]
    await post(api, one.key, `${TRIAGE}/bulk`, { set: ENTRIES })
    const { document, not_expressed_total: total } = await exportAll(one)
    expect(document.statements).toHaveLength(ENTRIES.length)
    expect(total).toBe(3)

    const { status, json } = await importAll(other, document)

    expect([status, json.data.created_total, json.data.problems]).toEqual([200, ENTRIES.length, []])
    expect(toComparable(await list(api, other))).toEqual(toComparable(await list(api, one)))
    const again = await exportAll(other)
    const withoutTimes = (statements: readonly Record<string, unknown>[]) =>
      statements.map(({ timestamp: _timestamp, ...rest }) => rest)
    expect(withoutTimes(again.document.statements)).toEqual(withoutTimes(document.statements))
    expect((await importAll(one, document)).json.data).toMatchObject({
      created_total: 0,
      unchanged_total: ENTRIES.length,
    })
  })

  it('keep an entry that says something else, unless it is to be replaced', async () => {
    const triager = await createTriager({ given })
    await set(api, triager, { cve_id: 'CVE-2021-23337', scope: LODASH, state: 'affected' })
    const statement = { vulnerability: { name: 'CVE-2021-23337' }, products: [{ '@id': LODASH }], status: 'fixed' }
    const document = { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [statement] }

    const kept = (await importAll(triager, document)).json.data
    expect(kept).toMatchObject({ created_total: 0, replaced_total: 0, differing_total: 1 })
    expect(await list(api, triager)).toMatchObject([{ state: 'affected', revision: 1 }])

    const replaced = (await importAll(triager, document, { replace: true })).json.data
    expect(replaced).toMatchObject({ replaced_total: 1, differing_total: 0, by_state: { fixed: 1 } })
    expect(await list(api, triager)).toMatchObject([{ state: 'fixed', revision: 2 }])
  })

  it.each([
    [{ statements: [] }, 'document.@context'],
    [{ '@context': 'https://openvex.dev/ns/v0.2.0' }, 'document.statements'],
    [{ '@context': 'https://example.org', statements: [] }, 'document.@context'],
    [[], 'document'],
  ])('are refused with what is wrong: %j', async (document, parameter) => {
    const { status, json } = await importAll(await createTriager({ given }), document)
    expect([status, json.error.parameter]).toEqual([400, parameter])
  })

  it('are refused with more products than a call may have, or more bytes', async () => {
    const triager = await createTriager({ given })
    const products = Array.from({ length: 2001 }, (_, index) => ({ '@id': `pkg:npm/a${index}` }))
    const statement = { vulnerability: { name: 'CVE-2021-23337' }, products, status: 'fixed' }
    const context = { '@context': 'https://openvex.dev/ns/v0.2.0' }
    expect((await importAll(triager, { ...context, statements: [statement] })).status).toBe(400)
    const large = { ...context, statements: [], note: 'x'.repeat(2 * 1024 * 1024) }
    expect((await importAll(triager, large)).status).toBe(413)
  })

  it('cannot claim that more was known about a CVE than is known now', async () => {
    const triager = await createTriager({ given })
    const rest = JSON.stringify({ state: 'fixed', level_when_set: 'P0', exploited_when_set: true })
    const statement = {
      vulnerability: { name: 'CVE-2021-23337' },
      products: [{ '@id': LODASH }],
      status: 'under_investigation',
      status_notes: `Triage: ${rest}`,
    }
    await importAll(triager, { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [statement] })
    expect(await list(api, triager)).toMatchObject([{ level_when_set: null, exploited_when_set: false }])
  })
})
