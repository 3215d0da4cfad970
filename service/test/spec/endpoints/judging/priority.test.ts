import { describe, expect, it } from 'vitest'
import { cve, epssRelease } from '../../../support/catalog/cve-builder.ts'
import { startTestService } from '../../../support/service.ts'

const { api, given } = await startTestService()

const CISA = {
  automatable: { value: 'yes', source: 'cisa-adp' },
  technicalImpact: { value: 'total', source: 'cisa-adp' },
} as const
const [ACT, WEEK, MONTH, CYCLE] = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003', 'CVE-2026-0004']
await given(
  cve(ACT, { score: 9.8, kev: { dateAdded: '2026-08-10', knownRansomware: true }, facts: CISA, epss: [0.9, 0.99] }),
  cve(WEEK, { score: 8.1, hasExploit: true, epss: [0.75, 0.98] }),
  cve(MONTH, { score: 9.1, hasExploit: true, facts: CISA }),
  cve(CYCLE, { score: 9, epss: [0.01, 0.5] }),
)

const getPriority = async (id: string) =>
  (await api.get(`/api/v1/cve/${id}?include=priority&fields=priority`)).json.data.cve.priority
const prioritize = (body: unknown) => api.send('POST', '/api/v1/prioritize', { body: JSON.stringify(body) })

describe('The priority add-on', () => {
  it('has the level, the policy, SSVC, the deadline and the reasons', async () => {
    expect(await getPriority(ACT)).toEqual({
      level: 'P0',
      policy_version: '2026-12',
      ssvc: {
        decision: 'act',
        tree: 'cisa-coordinator-2.0.3',
        mission: 'medium',
        exploitation: 'active',
        automatable: 'yes',
        technical_impact: 'total',
        value_sources: { exploitation: 'kev', automatable: 'cisa-adp', technical_impact: 'cisa-adp' },
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

describe('POST /api/v1/prioritize', () => {
  it('raises an exposed, automatable CVE with a public exploit and total impact to P1, and says so', async () => {
    const { json } = await prioritize({ cve_ids: [MONTH, CYCLE], context: { exposure: 'exposed' } })
    const [first, second] = json.data.ranked
    expect([first.cve_id, first.priority.level, first.priority.reasons[0]]).toEqual([
      MONTH,
      'P1',
      expect.stringMatching(/^Raised: /),
    ])
    expect(second.priority.level).toBe('P3')
  })

  it('shows only the deadline for the given exposure and uses the mission in SSVC', async () => {
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

  it("lets an item's context replace the general one", async () => {
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
})
