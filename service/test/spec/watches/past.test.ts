// Preview and explanation of watches, on a real publication.
import { beforeAll, describe, expect, it } from 'vitest'
import { publishExamples } from '../../support/catalog/example-catalog.ts'
import { readRows } from '../../support/run-statements.ts'
import { startWatchSetup } from './watch-setup.ts'

const setup = await startWatchSetup()
const { database, watcher, reader, stranger, createWatch } = setup
const CVE = 'CVE-2021-44228'

beforeAll(() => publishExamples(database.url))

/** As if the watch had been created before the first change. */
const watchFromStart = (id: string) =>
  readRows(database.url, 'update notify.watch_span set from_seq = 0, done_seq = 0 where watch_id = $1', [id])

async function explain(id: string, cve = CVE) {
  const { status, json, text } = await watcher.post(`/watches/${id}/explain`, { cve_id: cve })
  expect(status, text).toBe(200)
  return json.data.explanation
}

describe('POST /api/v1/watches/{watch-id}/explain', () => {
  it.each([
    [{ query: { priority: 'P0' }, on: ['entered'] }, { on: ['entered'], no_event_because: 'not_judged_yet' }, []],
    [{ query: { priority: 'P0' }, on: ['left'] }, { on: [], no_event_because: 'not_asked' }, []],
    [
      { query: { priority: 'P0', product_vendor: 'fortinet' }, on: ['entered'] },
      { matched_after: false, failed_filters: ['product_vendor'], no_event_because: 'not_in_search' },
      ['product_vendor'],
    ],
  ])('judges a new CVE for %j', async (watch, expected, failed) => {
    const { id } = await createWatch(watcher, watch)
    await watchFromStart(id)
    const { matches_now, failed_now, explained_changes } = await explain(id)
    expect([matches_now, failed_now]).toEqual([failed.length === 0, failed])
    expect(explained_changes).toMatchObject([{ matched_before: false, event_nr: null, ...expected }])
  })

  it('says that the watch did not exist then, and judges the change as the watch is now', async () => {
    const { id } = await createWatch(watcher, { query: { priority: 'P0' } })
    expect((await explain(id)).explained_changes).toMatchObject([
      { matched_after: true, entered_by: ['published'], on: [], no_event_because: 'not_watched' },
    ])
  })

  it('shows the event of the change and whether it was muted', async () => {
    const { id } = await createWatch(watcher, { query: { priority: 'P0' } })
    await watchFromStart(id)
    const [{ position }] = (await explain(id)).explained_changes
    await readRows(
      database.url,
      `with news as (
         insert into notify.news (seq, subject_key, subject, at, types, diff) values ($1, 1, $2, now(), '{}', '{}')
       )
       insert into notify.event (account_id, nr, watch_id, seq, subject_key, type, kinds, at, is_muted)
       select account_id, 17, id, $1, 1, 'matched', '{entered}', now(), true from accounts.view where id = $3`,
      [position.split(':')[0], CVE, id],
    )
    expect((await explain(id)).explained_changes).toMatchObject([{ event_nr: 17, muted: true, no_event_because: null }])
  })

  it('answers 404 for an unknown CVE, and for a watch of another account as for an unknown one', async () => {
    const { id } = await createWatch(watcher)
    const theirs = await createWatch(stranger)
    expect((await watcher.post(`/watches/${id}/explain`, { cve_id: 'CVE-2020-99999' })).status).toBe(404)
    const [foreign, absent] = [
      await watcher.post(`/watches/${theirs.id}/explain`, { cve_id: CVE }),
      await watcher.post('/watches/99999999/explain', { cve_id: CVE }),
    ]
    expect([foreign.status, foreign.json.error.message.replace(theirs.id, '')]).toEqual([
      404,
      absent.json.error.message.replace('99999999', ''),
    ])
    expect((await reader.post(`/watches/${id}/explain`, { cve_id: CVE })).status).toBe(403)
  })
})

describe('POST /api/v1/watches/preview', () => {
  it('counts what a watch would have told, by day and word, and says how far it looked', async () => {
    const { json } = await watcher.post('/watches/preview', { query: { kev: true }, on: ['exploited'], days: 7 })
    const { preview } = json.data
    expect(preview).toMatchObject({ is_complete: false, expected_total: preview.expected_events.length })
    expect(preview.expected_total).toBeGreaterThan(0)
    expect(preview.expected_daily).toHaveLength(preview.judged_days.length)
    expect('per_week' in preview).toBe(false)
    const exploited = preview.by_kind.find(({ kind }: { kind: string }) => kind === 'exploited')
    expect(exploited.count).toBe(preview.expected_total)
    expect(preview.expected_events[0].summary).toContain('CISA lists it as a known exploited vulnerability since')
    const search = await setup.api.get('/api/v1/cves?kev=true&limit=100')
    const inKev = search.json.data.cves.map(({ cve_id: id }: { cve_id: string }) => id)
    for (const { cve_id: id } of preview.expected_events) expect(inKev).toContain(id)
  })

  it('counts nothing for a search that no CVE is in', async () => {
    const { json } = await watcher.post('/watches/preview', { query: { product_vendor: 'nosuchvendor' } })
    expect(json.data.preview).toMatchObject({ expected_total: 0, by_kind: [], expected_events: [] })
    expect(json.data.did_you_mean).toMatchObject([{ value: 'nosuchvendor' }])
  })

  it.each([
    [{}, 'query'],
    [{ query: { severity_min: 99 } }, 'query.severity_min'],
    [{ query: { modified_after: '2026-01-01' } }, 'query.modified_after'],
    [{ query: { kev: true }, days: 31 }, 'days'],
    [{ query: { kev: true }, on: ['all'] }, 'on'],
  ])('answers 400 for %j', async (body, parameter) => {
    const { status, json } = await watcher.post('/watches/preview', body)
    expect([status, json.error.parameter]).toEqual([400, parameter])
  })
})
