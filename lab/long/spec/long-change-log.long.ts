// Response times of the change log with a million rows.
import { describe, expect, it } from 'vitest'
import { createApiClient } from '../../../service/test/support/api.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const ROWS = 1_000_000
const CALLS = 60
const MAX_MEDIAN_MS = 15

const service = await startTestService()
// One of 5,000 changes is of the rare type, so that its filter reads as many rows as one call may read.
await runStatements(
  service.database.url,
  `select catalog.add_change_ranges(${ROWS})`,
  `insert into catalog.change (cve_key, kind, types, fields, diff, cause, at)
   select 202600000000 + n % 263675, 'changed',
          case when n % 5000 = 0 then '{kev_added}' else '{score_changed,severity_band_changed}' end::text[],
          '{severity,cvss}',
          jsonb_build_object('severity', jsonb_build_object('old', 7.5, 'new', 9.8)),
          case when n % 10 = 0 then 'rules' else 'data' end,
          timestamptz '2026-01-01' + n * interval '30 seconds'
     from generate_series(1, ${ROWS}) as n`,
  'vacuum analyze catalog.change',
)
const key = createTestKey()
await service.given(account('enterprise').withKey(key))
// This client does not compare answers with their schema, which takes longer than the answer.
const api = createApiClient(
  service.api.port,
  () => key.key,
  () => {},
)
const get = (path: string) => api.get(`/api/v1/${path}`)

async function measure(path: string): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const startedAt = performance.now()
    const { status } = await get(path)
    times.push(performance.now() - startedAt)
    expect(status).toBe(200)
  }
  return times.toSorted((a, b) => a - b)[CALLS / 2] ?? Number.NaN
}

describe('Change log with a million rows', () => {
  it('lists the page after the start in a median of less than 15 ms', async () => {
    const { next_since: middle } = (await get('changes?since=start&limit=500')).json.data
    const figures: Record<string, number> = {}
    for (const [name, path] of [
      ['start, 100 rows', 'changes?since=start'],
      ['start, 500 rows', 'changes?since=start&limit=500'],
      ['a position, 500 rows', `changes?since=${middle}&limit=500`],
      ['start, a rare type', 'changes?since=start&types=kev_added'],
      ['now', 'changes?since=now'],
      ['records after the start', 'changes/records?since=start'],
      ['count of 100,000 rows', 'changes/summary?since=start'],
    ] as const)
      figures[name] = await measure(path)
    console.table(Object.fromEntries(Object.entries(figures).map(([name, ms]) => [name, `${ms.toFixed(1)} ms`])))
    expect(figures['start, 100 rows']).toBeLessThan(MAX_MEDIAN_MS)
  })
})
