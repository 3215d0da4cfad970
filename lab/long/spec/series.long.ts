// The series of a catalog with a past against SQL that is written independently of the service, and its additions to
// KEV against CISA's file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { listBuckets } from '../../../service/src/domain/series/buckets.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { startTestService } from '../../../service/test/support/service.ts'

/** A database that was loaded as of an earlier day and then followed its sources by their own days. */
const REPLAYED_CATALOG = process.env['REPLAYED_CATALOG_URL']
if (REPLAYED_CATALOG === undefined)
  console.warn('SKIPPED: the test of series needs REPLAYED_CATALOG_URL, the URL of a database with a replayed catalog.')

const folder = realData("the test of series against CISA's file")
const WINDOWS = 100

const EVENTS = {
  published: "select (published at time zone 'utc')::date as day from catalog.cve where published is not null",
  kev_added: 'select date_added as day from catalog.kev_history where removed_at is null',
  became_urgent: `
    select (at at time zone 'utc')::date as day
      from catalog.change
     where cause = 'data'
       and diff -> 'priority.level' ->> 'new' in ('P0', 'P1')
       and coalesce(diff -> 'priority.level' ->> 'old', '') not in ('P0', 'P1')`,
  exploit_added: `
    select (at at time zone 'utc')::date as day
      from catalog.change
     where cause = 'data'
       and diff -> 'enrichment.exploit_flag' ->> 'new' = 'true'`,
} as const

const pick = <T>(items: readonly T[]) => items[Math.floor(Math.random() * items.length)] as T
const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

type Metric = keyof typeof EVENTS

/** Counts the events of each day of the whole catalog. */
async function countDays(client: Client, metric: Metric): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ day: string; count: number }>(
    `select to_char(day, 'YYYY-MM-DD') as day, count(*)::integer as count from (${EVENTS[metric]}) event group by day`,
  )
  return new Map(rows.map(({ day, count }) => [day, count]))
}

function sum(days: ReadonlyMap<string, number>, { from, to }: { readonly from: string; readonly to: string }): number {
  let total = 0
  for (let day = from; day <= to; day = addDays(day, 1)) total += days.get(day) ?? 0
  return total
}

async function open() {
  const service = await startTestService({ environment: { DATABASE_URL: REPLAYED_CATALOG ?? '' } })
  const client = new Client({ connectionString: REPLAYED_CATALOG })
  await client.connect()
  cleanUpAfterTests(() => client.end())
  const { rows } = await client.query<{ today: string }>(
    "select to_char(max(at) at time zone 'utc', 'YYYY-MM-DD') as today from catalog.change",
  )
  const today = rows[0]?.today ?? ''
  service.clock.advance({ hours: (Date.parse(`${today}T23:00:00Z`) - Date.parse('2026-08-22T00:00:00Z')) / 3_600_000 })
  const read = async (query: string) => (await service.api.get(`/api/v1/stats/series?${query}`)).json.data
  return { client, read, today }
}

describe.skipIf(REPLAYED_CATALOG === undefined)('Series of a replayed catalog', { timeout: 1_800_000 }, () => {
  it(`equals SQL for ${WINDOWS} random windows`, async () => {
    const { client, read, today } = await open()
    const metrics = Object.keys(EVENTS) as Metric[]
    const days = new Map<Metric, ReadonlyMap<string, number>>()
    for (const metric of metrics) days.set(metric, await countDays(client, metric))
    let compared = 0
    for (let nr = 0; nr < WINDOWS; nr++) {
      const [metric, bucket] = [pick(metrics), pick(['day', 'week', 'month'] as const)]
      const from = addDays(today, -Math.floor(Math.random() * 390))
      const to = addDays(from, Math.floor((Math.random() * (Date.parse(today) - Date.parse(from))) / 86_400_000))
      const series = await read(`metric=${metric}&bucket=${bucket}&from=${from}&to=${to}`)
      const expected = (listBuckets(bucket, { from, to }) ?? []).map((range) => {
        const isKnown = series.complete_since !== null && `${range.from}T00:00:00Z` >= series.complete_since
        compared += Number(isKnown)
        return { ...range, count: isKnown ? sum(days.get(metric) ?? new Map(), range) : null }
      })
      expect(series.buckets, `${metric} by ${bucket} from ${from} to ${to}`).toEqual(expected)
    }
    console.log(`series: ${compared} known buckets of ${WINDOWS} windows compared`)
    expect(compared).toBeGreaterThan(WINDOWS)
  })

  it("has as many additions to KEV in each of 13 months as CISA's file", async ({ skip }) => {
    if (folder === undefined) skip()
    const { read } = await open()
    const file = JSON.parse(readFileSync(join(folder ?? '', 'known_exploited_vulnerabilities.json'), 'utf8'))
    const days: readonly string[] = file.vulnerabilities.map((entry: { dateAdded: string }) => entry.dateAdded)
    const { buckets } = await read(`metric=kev_added&bucket=month`)
    expect(buckets).toHaveLength(13)
    for (const { from, to, count } of buckets)
      expect(count, from).toBe(days.filter((day) => from <= day && day <= to).length)
  })
})
