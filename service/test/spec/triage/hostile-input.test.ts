// Triage states and views whose sender means harm: nothing is answered with 500, blocks the node, or fills its memory.
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { MAX_EXPORTED_CHARACTERS } from '../../../src/contract/triage/openvex.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { readRows } from '../../support/run-statements.ts'
import { post } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'
import { createTriager, LODASH, list, set, TRIAGE, type Triager } from './triage-setup.ts'

const { api, database, given } = await startTestService()

const importAll = ({ key }: Triager, statements: readonly object[]) =>
  post(api, key, `${TRIAGE}/openvex`, { document: { '@context': 'https://openvex.dev/ns/v0.2.0', statements } })

const CVE = { name: 'CVE-2021-23337' }
const FIXED = { vulnerability: CVE, products: [LODASH], status: 'fixed' }

describe('A hostile OpenVEX document', () => {
  it('with far too many products is refused before they are read', async () => {
    const triager = await createTriager({ given })
    const products = Array.from({ length: 70_000 }, (_, index) => `pkg:deb/debian/b${index}`)
    const startedAtMs = performance.now()
    const { status, json } = await importAll(triager, [{ ...FIXED, products }])
    expect([status, json.error.parameter]).toEqual([400, 'document.statements'])
    // Reading them takes about as many seconds as there are ten thousands of them.
    expect(performance.now() - startedAtMs).toBeLessThan(2500)
    const many = Array.from({ length: 2001 }, () => FIXED)
    expect((await importAll(triager, many)).status).toBe(400)
  })

  it('with texts that say nothing or cannot be stored changes nothing and is told so', async () => {
    const triager = await createTriager({ given })
    const { status, json } = await importAll(triager, [
      { ...FIXED, status: 'not_affected', impact_statement: '' },
      { ...FIXED, products: ['cpe:2.3:a:v:p:*:*:*:*:*:*:*:*#=\ud800'] },
      { ...FIXED, status_notes: 'Triage: {"until":"0000-00-00"}' },
      { ...FIXED, status_notes: '\ud800' },
      { vulnerability: CVE, products: [{ '@id': LODASH, constructor: 1 }], status: 'constructor' },
    ])
    expect([status, json.data.created_total, json.data.problems_total]).toEqual([200, 0, 5])
    expect(await list(api, triager)).toEqual([])
  })

  it('with the names of prototypes sets only what it says', async () => {
    const triager = await createTriager({ given })
    const statement = JSON.parse(`{
      "__proto__": {"status": "fixed"}, "vulnerability": "CVE-2021-23337", "products": ["${LODASH}"], "status": "affected",
      "status_notes": "Triage: {\\"__proto__\\":{\\"state\\":\\"fixed\\"},\\"state\\":\\"toString\\"}"
    }`)
    expect((await importAll(triager, [statement])).json.data.created_total).toBe(1)
    expect(await list(api, triager)).toMatchObject([{ state: 'affected' }])
  })
})

describe('Text that cannot be stored', () => {
  it('is refused in versions', async () => {
    const triager = await createTriager({ given })
    const entry = { cve_id: CVE.name, scope: LODASH, state: 'fixed', version_range: '=\ud800' }
    const { status, json } = await set(api, triager, entry)
    expect([status, json.error.parameter]).toEqual([400, 'version_range'])
  })
})

describe('The OpenVEX export', () => {
  it('is refused, not built, for more text than one document may have', async () => {
    const triager = await createTriager({ given }, 'pro')
    const entries = Math.ceil(MAX_EXPORTED_CHARACTERS / 6000)
    await readRows(
      database.url,
      `with entry as (
         insert into accounts.triage_entry (account_id, cve_id, kind, scope, versions, revision)
         select $1::bigint, 'CVE-2021-23337', 'package', 'pkg:npm/a' || number, '', 1 from generate_series(1, $2) number
         returning id
       )
       insert into accounts.triage_revision (entry_id, revision, actor, state, justification, impact_statement, note)
       select id, 1, 'key:1', 'not_affected', null, repeat('x', 2000), repeat('y', 2000) from entry`,
      [triager.accountId, Math.ceil(entries * 1.5)],
    )
    const { status, json } = await api.get(`${TRIAGE}/openvex`, { key: triager.key })
    expect([status, json.error.details.limit]).toEqual([400, MAX_EXPORTED_CHARACTERS])
    // The entries can still be read page by page, and a scan can still apply them.
    expect(await list(api, triager, '?limit=2')).toHaveLength(2)
  }, 120_000)
})

describe('A revision that no view can have', () => {
  it('is a conflict', async () => {
    const key = createTestKey()
    await given(account('pro').withKey(key, { scopes: ['read', 'watch'] }))
    const view = { name: 'exploited', query: 'kev=true' }
    const { id } = (await post(api, key.key, '/api/v1/views', view)).json.data.view
    for (const revision of [2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER])
      expect((await post(api, key.key, `/api/v1/views/${id}`, { ...view, revision })).status).toBe(409)
  })
})
