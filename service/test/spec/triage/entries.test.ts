import { describe, expect, it } from 'vitest'
import { MAX_TRIAGE_ENTRIES } from '../../../src/domain/triage/words.ts'
import { readRows } from '../../support/run-statements.ts'
import { post, readAudit } from '../../support/self-service.ts'
import { startTestService } from '../../support/service.ts'
import { createTriager, getHistory, LODASH, list, set, TRIAGE } from './triage-setup.ts'

const service = await startTestService()
const { api, database } = service

const ENTRY = {
  cve_id: 'CVE-2021-23337',
  scope: LODASH,
  version_range: '>=4.0.0|<4.17.21',
  state: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  note: 'We never call template().',
}

describe('POST /api/v1/triage', () => {
  it('stores a state with its scope, reason, revision and author', async () => {
    const triager = await createTriager(service)
    const { status, json } = await set(api, triager, { ...ENTRY, until: '2027-01-31' })
    expect(status).toBe(200)
    expect(json.data.triage_entry).toMatchObject({
      cve_id: 'CVE-2021-23337',
      scope: LODASH,
      version_range: '>=4.0.0|<4.17.21',
      state: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact_statement: null,
      note: 'We never call template().',
      until_day: '2027-01-31',
      unless: ['exploited', 'priority_raised'],
      revision: 1,
      set_by: expect.stringMatching(/^key:\d+$/),
      effect: 'suppresses',
      reopened_by: [],
    })
    expect(await list(api, triager)).toEqual([json.data.triage_entry])
  })

  it('costs no credits', async () => {
    const triager = await createTriager(service)
    await set(api, triager, ENTRY)
    const { json } = await api.get('/api/v1/usage', { key: triager.key })
    expect(json.data.usage.credits_used).toBe(0)
  })

  it('answers 409 with the present entry if another call changed it, and changes nothing', async () => {
    const triager = await createTriager(service)
    await set(api, triager, ENTRY)
    const changed = await set(api, triager, { ...ENTRY, note: 'by a colleague', revision: 1 })
    expect(changed.json.data.triage_entry.revision).toBe(2)

    const refused = await set(api, triager, { ...ENTRY, state: 'affected', justification: undefined, revision: 1 })

    expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT'])
    expect(refused.json.error.details.current).toEqual(changed.json.data.triage_entry)
    expect(await list(api, triager)).toEqual([changed.json.data.triage_entry])
  })

  it('keeps every revision, also of a removed entry, which can be set again', async () => {
    const triager = await createTriager(service)
    await set(api, triager, ENTRY)
    const { cve_id, scope, version_range } = ENTRY
    const removed = await post(api, triager.key, `${TRIAGE}/remove`, { cve_id, scope, version_range, revision: 1 })
    expect([removed.status, removed.json.data.removed]).toEqual([200, { cve_id, scope, version_range }])
    expect(await list(api, triager)).toEqual([])
    const again = await post(api, triager.key, `${TRIAGE}/remove`, { cve_id, scope, version_range, revision: 2 })
    expect(again.status).toBe(404)
    await set(api, triager, { ...ENTRY, note: 'again' })

    const history = await getHistory(api, triager, cve_id)

    expect(
      history.map(({ revision, state, is_current }: Record<string, unknown>) => [revision, state, is_current]),
    ).toEqual([
      [3, 'not_affected', true],
      [2, null, false],
      [1, 'not_affected', false],
    ])
  })

  it.each([
    [{ justification: undefined }, /needs a justification .*component_not_present.* or an impact_statement/],
    [{ state: 'affected' }, /has neither justification nor impact_statement/],
    [{ state: 'fixed', justification: undefined, action_statement: 'x' }, /has no action_statement/],
    [{ scope: '*' }, /needs a package or a product as scope/],
    [{ scope: `${LODASH}@4.17.20` }, /send one of them/],
    [{ scope: 'lodash' }, /must be \*.*a package URL/s],
    [{ version_range: '4.17.20' }, /must be one interval such as/],
    [{ version_range: '>=1|>=2' }, /must be one interval such as/],
    [{ note: 'x'.repeat(2001) }, /at most 2000 characters/],
    [{ state: 'ignored' }, /must be one of not_affected, affected, fixed, under_investigation, accepted/],
    [{ cve_id: 'GHSA-1' }, /a CVE id/],
    [{ unless: ['never'] }, /exploited, priority_raised/],
  ])('refuses %j and says what is allowed', async (change, message) => {
    const triager = await createTriager(service)
    const { status, json } = await set(api, triager, { ...ENTRY, ...change })
    expect(status).toBe(400)
    expect(json.error.message).toMatch(message)
    expect(await list(api, triager)).toEqual([])
  })

  it('reads a version in the scope as the only one that the state is about', async () => {
    const triager = await createTriager(service)
    await set(api, triager, { ...ENTRY, version_range: undefined, scope: 'pkg:npm/lodash@4.17.20' })
    await set(api, triager, {
      cve_id: 'CVE-2021-23337',
      scope: 'cpe:2.3:a:lodash:lodash:4.17.20:*:*:*:*:node.js:*:*',
      state: 'fixed',
    })
    const entries = await list(api, triager)
    expect(entries.map(({ scope, version_range: range }: Record<string, unknown>) => [scope, range])).toEqual([
      ['cpe:2.3:a:lodash:lodash:*:*:*:*:*:node.js:*:*', '=4.17.20'],
      [LODASH, '=4.17.20'],
    ])
  })

  it('writes an audit row with the actor for each call that changed something', async () => {
    const triager = await createTriager(service)
    await set(api, triager, ENTRY)
    await set(api, triager, ENTRY)
    const rows = await readAudit(database.url, triager.accountId, 'triage.set')
    expect(rows).toEqual([
      {
        actor: expect.stringMatching(/^key:\d+$/),
        action: 'triage.set',
        key_id: null,
        details: { set: 1, removed: 0, cve_ids: ['CVE-2021-23337'], states: { [ENTRY.state]: 1 } },
      },
    ])
  })

  it('refuses more entries than the plan allows, and still replaces and removes', async () => {
    const triager = await createTriager(service, 'free')
    await set(api, triager, ENTRY)
    await readRows(database.url, 'update accounts.triage_use set entries = $2 where account_id = $1', [
      triager.accountId,
      MAX_TRIAGE_ENTRIES.free,
    ])
    const refused = await set(api, triager, { ...ENTRY, cve_id: 'CVE-2021-23338' })
    expect([refused.status, refused.json.error.details]).toEqual([409, { limit: MAX_TRIAGE_ENTRIES.free }])
    expect((await set(api, triager, { ...ENTRY, note: 'other', revision: 1 })).status).toBe(200)
    const { cve_id, scope, version_range } = ENTRY
    const removed = await post(api, triager.key, `${TRIAGE}/remove`, { cve_id, scope, version_range, revision: 2 })
    expect(removed.status).toBe(200)
  })

  it('refuses more changes in a day than the plan allows', async () => {
    const triager = await createTriager(service, 'free')
    await set(api, triager, ENTRY)
    await readRows(database.url, 'update accounts.triage_use set changes = $2 where account_id = $1', [
      triager.accountId,
      2 * MAX_TRIAGE_ENTRIES.free,
    ])
    const refused = await set(api, triager, { ...ENTRY, note: 'other', revision: 1 })
    expect([refused.status, refused.json.error.details]).toEqual([409, { limit: 2 * MAX_TRIAGE_ENTRIES.free }])
  })

  it('does not count towards the changes of keys and origins', async () => {
    const triager = await createTriager(service)
    await readRows(
      database.url,
      `insert into accounts.audit (actor, action, account_id)
       select 'key:1', 'triage.set', $1 from generate_series(1, 200)`,
      [triager.accountId],
    )
    await readRows(database.url, "update accounts.api_key set scopes = '{read,manage}' where account_id = $1", [
      triager.accountId,
    ])
    expect((await post(api, triager.key, '/api/v1/origins', { origin: 'https://a.example' })).status).toBe(200)
  })
})

describe('POST /api/v1/triage/bulk', () => {
  it('judges each change alone and names the outcome of each', async () => {
    const triager = await createTriager(service)
    await set(api, triager, ENTRY)
    const { cve_id, scope, version_range } = ENTRY

    const { json } = await post(api, triager.key, `${TRIAGE}/bulk`, {
      set: [ENTRY, { ...ENTRY, cve_id: 'CVE-2021-23338' }],
      remove: [
        { cve_id, scope, version_range, revision: 1 },
        { cve_id, scope, revision: 1 },
      ],
    })

    expect(json.data.done_total).toBe(2)
    expect(
      json.data.results.map(({ outcome, triage_entry: entry }: Record<string, { revision: number } | undefined>) => [
        outcome,
        entry?.revision,
      ]),
    ).toEqual([
      ['conflict', 1],
      ['done', 1],
      ['done', undefined],
      ['unknown', undefined],
    ])
  })

  it('makes 500 changes, and refuses 501', async () => {
    const triager = await createTriager(service)
    const changes = Array.from({ length: 501 }, (_, index) => ({ ...ENTRY, cve_id: `CVE-2021-${10_000 + index}` }))
    const refused = await post(api, triager.key, `${TRIAGE}/bulk`, { set: changes })
    expect(refused.status).toBe(400)
    const made = await post(api, triager.key, `${TRIAGE}/bulk`, { set: changes.slice(1) })
    expect([made.status, made.json.data.done_total]).toEqual([200, 500])
  })

  it('changes nothing if the members of one change do not fit each other', async () => {
    const triager = await createTriager(service)
    const { status, json } = await post(api, triager.key, `${TRIAGE}/bulk`, {
      set: [ENTRY, { ...ENTRY, justification: undefined }],
    })
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('set[1]: not_affected needs')])
    expect(await list(api, triager)).toEqual([])
  })
})

describe('GET /api/v1/triage', () => {
  it('filters by CVE, state, scope and product, and lists all entries in pages', async () => {
    const triager = await createTriager(service)
    const bulk = Array.from({ length: 7 }, (_, index) => ({ ...ENTRY, cve_id: `CVE-2021-${10_000 + index}` }))
    await post(api, triager.key, `${TRIAGE}/bulk`, { set: bulk })
    await set(api, triager, { cve_id: 'CVE-2021-10000', scope: '*', state: 'accepted' })
    const count = async (query: string) => (await list(api, triager, query)).length
    expect(await count('?ids=CVE-2021-10000')).toBe(2)
    expect(await count('?state=accepted')).toBe(1)
    expect(await count(`?scope=${encodeURIComponent(LODASH)}`)).toBe(7)
    expect(await count('?product=LODASH')).toBe(7)
    expect(await count('?effect=shown')).toBe(1)
    expect(await count('?effect=reopened')).toBe(0)

    const seen: string[] = []
    let after = ''
    do {
      const { json } = await api.get(`${TRIAGE}?limit=3${after}`, { key: triager.key })
      seen.push(...json.data.triage_entries.map((each: Record<string, string>) => `${each['cve_id']} ${each['scope']}`))
      after = json.data.pagination.hasMore ? `&after=${json.data.pagination.nextCursor}` : ''
    } while (after !== '')
    expect(seen).toHaveLength(8)
    expect(new Set(seen).size).toBe(8)
  })

  it('shows that a state has ended', async () => {
    const triager = await createTriager(service)
    await set(api, triager, { ...ENTRY, until: '2020-01-01' })
    expect((await list(api, triager)).map(({ effect }: Record<string, unknown>) => effect)).toEqual(['ended'])
  })
})

describe('Writers at the same time', () => {
  it('lose nothing: each success is a revision, each other answer a conflict', async () => {
    const triager = await createTriager(service)
    const cves = ['CVE-2021-20001', 'CVE-2021-20002', 'CVE-2021-20003', 'CVE-2021-20004', 'CVE-2021-20005']
    const write = async (writer: number): Promise<readonly [string, number, string]> => {
      const cve_id = cves[writer % cves.length] ?? ''
      const present = (await list(api, triager, `?ids=${cve_id}`))[0]
      const note = `writer ${writer}`
      const { status } = await set(api, triager, { ...ENTRY, cve_id, note, revision: present?.revision ?? 0 })
      return [cve_id, status, note]
    }

    const written = await Promise.all(Array.from({ length: 100 }, (_, writer) => write(writer)))

    expect(new Set(written.map(([, status]) => status))).toEqual(new Set([200, 409]))
    for (const cve of cves) {
      const history = await getHistory(api, triager, cve)
      const notes = written.filter(([id, status]) => id === cve && status === 200).map(([, , note]) => note)
      expect(history.map(({ note }: Record<string, unknown>) => note).toSorted()).toEqual(notes.toSorted())
      expect(history.map(({ revision }: Record<string, unknown>) => revision)).toEqual(
        notes.map((_, index) => notes.length - index),
      )
    }
    const [row] = await readRows(
      database.url,
      'select entries, changes from accounts.triage_use where account_id = $1',
      [triager.accountId],
    )
    const made = written.filter(([, status]) => status === 200).length
    expect(row).toEqual({ entries: cves.length, changes: made })
  })
})
