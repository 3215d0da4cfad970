import { describe, expect, it } from 'vitest'
import { cve, epssRelease } from '../../support/catalog/cve-builder.ts'
import { startTestService } from '../../support/service.ts'

const { api, given } = await startTestService()

const CISA = {
  automatable: { value: 'yes', source: 'cisa-adp' },
  technicalImpact: { value: 'total', source: 'cisa-adp' },
} as const
const [ACT, WEEK, MONTH, CYCLE, ROUTINE, REJECTED] = [
  'CVE-2026-0001',
  'CVE-2026-0002',
  'CVE-2026-0003',
  'CVE-2026-0004',
  'CVE-2026-0005',
  'CVE-2026-0006',
]
await given(
  cve(ACT, { score: 9.8, kev: { dateAdded: '2026-08-10', knownRansomware: true }, facts: CISA, epss: [0.9, 0.99] }),
  cve(WEEK, { score: 8.1, hasExploit: true, epss: [0.75, 0.98] }),
  cve(MONTH, { score: 9.1, hasExploit: true, facts: CISA }),
  cve(CYCLE, { score: 9, epss: [0.01, 0.5] }),
  cve(ROUTINE, { score: 5, epss: [0.001, 0.1] }),
  cve(REJECTED, { score: null, status: 'Rejected' }),
)
const BY_URGENCY = [ACT, WEEK, MONTH, CYCLE, ROUTINE, REJECTED]

const getPriority = async (id: string) =>
  (await api.get(`/api/v1/cve/${id}?include=priority&fields=priority`)).json.data.cve.priority
const prioritize = (body: unknown, key?: string) =>
  api.send('POST', '/api/v1/prioritize', { body: JSON.stringify(body), ...(key ? { key } : {}) })
const listIds = (cves: readonly { cve_id: string }[]) => cves.map(({ cve_id }) => cve_id)

describe('Add-on priority', () => {
  it('has the level, the policy, SSVC, the deadline and the reasons', async () => {
    expect(await getPriority(ACT)).toEqual({
      level: 'P0',
      policy: '2026-11',
      ssvc: {
        decision: 'act',
        tree: 'cisa-coordinator-2.0.3',
        mission: 'medium',
        exploitation: 'active',
        automatable: 'yes',
        technical_impact: 'total',
        sources: { exploitation: 'kev', automatable: 'cisa-adp', technical_impact: 'cisa-adp' },
      },
      deadline: {
        rule: 'bod-26-04',
        inputs: 'cisa',
        counted_from: 'kev_added_or_detection',
        exposed: { days: 3, forensic_triage: true, due_date: '2026-08-13' },
        internal: { days: 3, forensic_triage: true, due_date: '2026-08-13' },
        kev_due_agrees: null,
      },
      reasons: expect.arrayContaining([
        "This CVE is in CISA's KEV catalog since 2026-08-10; ransomware campaigns use it.",
        'On 2026-08-21, EPSS estimated a probability of 90 % that this CVE would be exploited within the next 30 days.',
      ]),
    })
  })

  it.each([
    [WEEK, 'P1'],
    [MONTH, 'P2'],
    [CYCLE, 'P3'],
    [ROUTINE, 'P4'],
  ])('gives %s the level %s', async (id, level) => {
    expect((await getPriority(id)).level).toBe(level)
  })

  it('has no level and one reason for a rejected CVE', async () => {
    expect(await getPriority(REJECTED)).toEqual({
      level: null,
      policy: '2026-11',
      ssvc: null,
      deadline: null,
      reasons: ['The CVE id was rejected, so the CVE has no priority.'],
    })
  })

  it('is the same in a search, in recent CVEs and in a batch', async () => {
    const expected = await getPriority(WEEK)
    const select = 'include=priority&fields=cve_id,priority'
    const searched = await api.get(`/api/v1/cves?ids=${WEEK}&${select}`)
    const batch = await api.send('POST', '/api/v1/cve/batch', {
      body: JSON.stringify({ cve_ids: [WEEK], include: ['priority'], fields: ['cve_id', 'priority'] }),
    })
    expect(searched.json.data.cves).toEqual([{ cve_id: WEEK, priority: expected }])
    expect(batch.json.data.cves).toEqual({ [WEEK]: { cve_id: WEEK, priority: expected } })
    const recent = await api.get(`/api/v1/cves/recent?days=30&priority=P1&${select}`)
    expect(recent.json.data.cves).toEqual([{ cve_id: WEEK, priority: expected }])
  })

  it('changes its level and its ETag when a new EPSS score crosses a threshold', async () => {
    const path = `/api/v1/cve/${CYCLE}?include=priority`
    const before = await api.get(path)
    await given(epssRelease('2026-08-22', { [CYCLE]: [0.25, 0.97] }))
    await expect.poll(async () => (await getPriority(CYCLE)).level, { timeout: 5000 }).toBe('P2')
    const after = await api.get(path, { headers: { 'If-None-Match': String(before.headers['etag']) } })
    expect([after.status, after.headers['etag'] === before.headers['etag']]).toEqual([200, false])
    await given(epssRelease('2026-08-21', { [CYCLE]: [0.01, 0.5] }))
    await expect.poll(async () => (await getPriority(CYCLE)).level, { timeout: 5000 }).toBe('P3')
  })
})

describe('GET /api/v1/cves: priority', () => {
  it('sorts by urgency in both directions, with rejected CVEs last', async () => {
    const sorted = async (sort: string) => listIds((await api.get(`/api/v1/cves?sort=${sort}`)).json.data.cves)
    expect(await sorted('priority_desc')).toEqual(BY_URGENCY)
    expect(await sorted('priority_asc')).toEqual([...BY_URGENCY.slice(0, -1).toReversed(), REJECTED])
  })

  it('filters by one or more levels in any letter case', async () => {
    const find = async (levels: string) =>
      listIds((await api.get(`/api/v1/cves?priority=${levels}&sort=priority_desc`)).json.data.cves)
    expect(await find('P0')).toEqual([ACT])
    expect(await find('p1,P3')).toEqual([WEEK, CYCLE])
    expect(await find('P0,P1,P2,P3,P4')).toEqual(BY_URGENCY.slice(0, -1))
  })

  it('rejects an unknown level and names the allowed ones', async () => {
    const { status, json } = await api.get('/api/v1/cves?priority=P9')
    expect([status, json.error.details.errors[0]]).toMatchObject([
      400,
      { parameter: 'priority', value: 'P9', allowed: ['P0', 'P1', 'P2', 'P3', 'P4'] },
    ])
  })

  it('refuses a cursor of another level', async () => {
    const first = await api.get('/api/v1/cves?priority=P0,P1&sort=priority_desc&limit=1')
    const after = first.json.data.pagination.nextCursor
    expect((await api.get(`/api/v1/cves?priority=P1,P0&sort=priority_desc&limit=1&after=${after}`)).status).toBe(200)
    expect((await api.get(`/api/v1/cves?priority=P0&sort=priority_desc&limit=1&after=${after}`)).status).toBe(400)
  })
})

describe('POST /api/v1/prioritize', () => {
  it('ranks CVEs by urgency, counts levels and lists unknown ids', async () => {
    const { status, json } = await prioritize({ cve_ids: [...BY_URGENCY.toReversed(), 'cve-1999-0001'] })
    expect([status, listIds(json.data.ranked)]).toEqual([200, BY_URGENCY])
    expect(json.data).toMatchObject({
      counts: { P0: 1, P1: 1, P2: 1, P3: 1, P4: 1, none: 1 },
      not_found: ['CVE-1999-0001'],
      policy: '2026-11',
    })
    expect(json.data.ranked[0]).toMatchObject({ rank: 1, refs: [], exposure: 'unknown' })
    expect(json.data.ranked[0].priority).toEqual(await getPriority(ACT))
  })

  it('answers the same facts with the same bytes', async () => {
    const body = { cve_ids: BY_URGENCY, context: { exposure: 'exposed', mission: 'high' } }
    const read = async () => JSON.stringify((await prioritize(body)).json.data.ranked)
    expect(await read()).toBe(await read())
  })

  it('raises an exposed CVE with a public exploit, automatable and with total impact to P1, and says so', async () => {
    const { json } = await prioritize({ cve_ids: [MONTH, CYCLE], context: { exposure: 'exposed' } })
    const [first, second] = json.data.ranked
    expect([first.cve_id, first.priority.level, first.priority.reasons[0]]).toEqual([
      MONTH,
      'P1',
      expect.stringMatching(/^Raised: /),
    ])
    expect(second.priority.level).toBe('P3')
  })

  it('lowers an internal CVE that nobody is known to exploit by one level, and says so', async () => {
    const { json } = await prioritize({ cve_ids: BY_URGENCY, context: { exposure: 'internal' } })
    const levels = json.data.ranked.map(({ cve_id, priority }: never) => [
      cve_id,
      (priority as { level: string }).level,
    ])
    expect(Object.fromEntries(levels)).toEqual({
      [ACT]: 'P0',
      [WEEK]: 'P2',
      [MONTH]: 'P3',
      [CYCLE]: 'P4',
      [ROUTINE]: 'P4',
      [REJECTED]: null,
    })
    const reasons = json.data.ranked.find(({ cve_id }: { cve_id: string }) => cve_id === WEEK).priority.reasons
    expect(reasons[0]).toMatch(/^Lowered: /)
  })

  it('shows only the deadline of the given exposure and uses the mission in SSVC', async () => {
    const { json } = await prioritize({ items: [{ cve_id: ACT, exposure: 'internal', mission: 'low' }] })
    const { deadline, ssvc } = json.data.ranked[0].priority
    expect(Object.keys(deadline)).toContain('internal')
    expect(Object.keys(deadline)).not.toContain('exposed')
    expect([ssvc.mission, ssvc.decision]).toEqual(['low', 'attend'])
  })

  it('merges duplicate ids, collects their refs and applies the most urgent of their contexts', async () => {
    const { json } = await prioritize({
      cve_ids: [MONTH, MONTH.toLowerCase()],
      context: { exposure: 'internal' },
      items: [
        { cve_id: MONTH, ref: 'desk' },
        { cve_id: MONTH, exposure: 'exposed', ref: 'edge' },
        { cve_id: MONTH, ref: 'desk' },
      ],
    })
    expect(json.data.ranked).toMatchObject([{ cve_id: MONTH, refs: ['desk', 'edge'], exposure: 'exposed' }])
    expect(json.data.ranked[0].priority.level).toBe('P1')
  })

  it('lets the context of an item replace that of the general list', async () => {
    const { json } = await prioritize({
      cve_ids: [WEEK, MONTH],
      context: { exposure: 'exposed' },
      items: [{ cve_id: MONTH, exposure: 'internal' }],
    })
    const exposures = Object.fromEntries(
      json.data.ranked.map(({ cve_id, exposure }: { cve_id: string; exposure: string }) => [cve_id, exposure]),
    )
    expect(exposures).toEqual({ [WEEK]: 'exposed', [MONTH]: 'internal' })
  })

  it('limits ranked and counts all CVEs', async () => {
    const { json } = await prioritize({ cve_ids: BY_URGENCY, limit: 2 })
    expect(listIds(json.data.ranked)).toEqual([ACT, WEEK])
    expect(json.data.counts.P4).toBe(1)
  })

  it.each([
    [{}, 'cve_ids', /1 to 500 entries together; 0 were sent/],
    [
      {
        cve_ids: Array.from({ length: 499 }, (_, at) => `CVE-2020-${1000 + at}`),
        items: [{ cve_id: ACT }, { cve_id: ACT }],
      },
      'cve_ids',
      /501 were sent/,
    ],
    [{ items: [{ cve_id: ACT, exposure: 'public' }] }, 'items[0].exposure', /exposed, internal, unknown/],
    [{ cve_ids: [ACT], limit: 501 }, 'limit', /from 1 to 500/],
  ])('explains the mistake in a body (case %#)', async (body, parameter, message) => {
    const { status, json } = await prioritize(body)
    expect([status, json.error.parameter, json.error.message]).toEqual([400, parameter, expect.stringMatching(message)])
  })

  it('costs 35 credits for any number of ids, and nothing for a refused body', async () => {
    const used = async () => (await api.get('/api/v1/usage')).json.data.usage.credits_used
    const before = await used()
    await prioritize({ cve_ids: [ACT] })
    await prioritize({ cve_ids: BY_URGENCY })
    await prioritize({})
    expect((await used()) - before).toBe(70)
  })
})

describe('GET /api/v1/policy', () => {
  it('returns the rules of the current version, free of charge', async () => {
    const before = (await api.get('/api/v1/usage')).json.data.usage.credits_used
    const { json } = await api.get('/api/v1/policy')
    expect(json.data.policy).toMatchObject({ version: '2026-11', is_current: true, versions: ['2026-11'] })
    expect(json.data.policy.levels[0]).toEqual({
      level: 'P0',
      title: 'act now',
      any_of: [
        [{ fact: 'exploited' }, { fact: 'ransomware' }],
        [{ fact: 'exploited' }, { fact: 'automatable' }, { fact: 'total_impact' }],
      ],
    })
    expect((await api.get('/api/v1/usage')).json.data.usage.credits_used).toBe(before)
  })

  it('returns a version by its name, and lists the versions for an unknown one', async () => {
    expect((await api.get('/api/v1/policy?version=2026-11')).json.data.policy.version).toBe('2026-11')
    const { status, json } = await api.get('/api/v1/policy?version=2020-01')
    expect([status, json.error.details.errors[0].allowed]).toEqual([400, ['2026-11']])
  })
})
