import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { readPublication } from '../../src/catalog/reports/publication-status.ts'
import { openPool } from '../../src/database/postgres.ts'
import { startFeeds } from '../chaos/feeds/process.ts'
import { directoryWith, kevFile } from '../feeds/small-files.ts'
import { administer } from '../support/administer.ts'
import { account, aKey } from '../support/builders.ts'
import { cve } from '../support/catalog/cve-builder.ts'
import { atEnd } from '../support/cleanup.ts'
import { testDatabase } from '../support/database.ts'
import { visServer } from '../support/processes/command.ts'
import { privateRedis } from '../support/processes/private-redis.ts'
import { PATIENT, testService } from '../support/service.ts'
import { documentedMetrics, type MetricTable, readExposition } from './metrics-page.ts'

const redis = await privateRedis()
const { api, given, metrics } = await testService({ environment: { ...PATIENT, REDIS_URL: redis.url } })
const LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const soon = { timeout: 25_000, interval: 100 }

/** The value of a series, by its name and labels as Prometheus writes them; undefined without one. */
function valueIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const ofNode = async (series: string) => valueIn(await metrics.text(), series)

/** Types must be equal; labels too, of what has been seen with any. */
function expectDocumented(shown: MetricTable, documented: MetricTable): void {
  const [seen, written] = [Object.fromEntries(shown), Object.fromEntries(documented)]
  // Of what has had nothing to count yet, labels cannot be seen.
  const withLabels = Object.entries(seen).map(([name, { type, labels }]) => [
    name,
    { type, labels: labels.length > 0 ? labels : (written[name]?.labels ?? []) },
  ])
  expect(Object.fromEntries(withLabels)).toEqual(written)
}

describe('The metrics of an API node', () => {
  it('are those of docs/metrics.md, with their types and labels', async () => {
    await api.get('/api/v1/ping-lite')
    expectDocumented(readExposition(await metrics.text()), documentedMetrics('node'))
  })

  it('tell where single CVEs came from, and how much memory they take', async () => {
    await given(cve('CVE-2026-2000', { description: 'Asked for twice.' }))
    const answers = (result: string) => ofNode(`vis_record_cache_answers_total{result="${result}"}`)
    // Until it hears the log of changes, a node remembers nothing.
    await expect.poll(() => ofNode('vis_change_log_position'), soon).toBeGreaterThan(0)
    const misses = (await answers('miss')) ?? 0

    for (let call = 0; call < 3; call += 1) await api.get('/api/v1/cve/CVE-2026-2000')
    for (let call = 0; call < 3; call += 1) await api.get('/api/v1/cve/CVE-2026-2999')

    expect([await answers('hit'), await answers('miss'), await answers('absent')]).toEqual([2, misses + 2, 2])
    expect(await ofNode('vis_record_cache_records')).toBe(1)
    expect(await ofNode('vis_record_cache_bytes')).toBeGreaterThan(1000)
    expect(await ofNode('vis_change_log_silence_seconds')).toBeLessThan(2)
  })

  it('tell that the ledger was tidied, and when', async () => {
    const tidiedAt = async () => (await ofNode('vis_ledger_tidied_timestamp_seconds')) ?? 0
    await expect.poll(tidiedAt, soon).toBeGreaterThan(Date.now() / 1000 - 120)
    expect(await ofNode('vis_refunds_pending')).toBe(0)
  })

  it('tell when the local window stands in for Redis', async () => {
    const key = await freeKey()
    expect(await ofNode('vis_rate_limit_stand_in')).toBe(0)
    await redis.kill()
    for (let call = 0; call < 6; call += 1) await api.get('/api/v1/ping', { key })
    expect(await ofNode('vis_rate_limit_stand_in')).toBe(1)

    await redis.start()
    const calledAgain = async () => {
      await api.get('/api/v1/ping', { key })
      return ofNode('vis_rate_limit_stand_in')
    }
    await expect.poll(calledAgain, soon).toBe(0)
  })
})

/** The address of a database, for a login of its own in the role vis_feeds. */
async function feedsLogin(): Promise<string> {
  const { url, name } = await testDatabase()
  const login = `${name}_feeds`
  await administer(url, `create role ${login} login in role vis_feeds`)
  atEnd(() => administer(url, `drop owned by ${login}; drop role ${login}`))
  return Object.assign(new URL(url), { username: login }).href
}

async function freeKey(): Promise<string> {
  const key = aKey()
  await given(account('free').withKey(key))
  return key.key
}

describe('The metrics of a worker, whose login may do no more than run feeds', async () => {
  const environment = { NODE_ENV: 'test', DATABASE_URL: await feedsLogin() }
  const from = await directoryWith({ 'known_exploited_vulnerabilities.json': kevFile(['CVE-2024-0001']) })
  await visServer(['sync', 'kev', '--from', from], environment)
  const port = await freePort()
  // kev is not due; epss is, and its upstream is out of reach of tests.
  const worker = startFeeds(['worker', 'kev', 'epss'], { ...environment, WORKER_OPS_PORT: String(port) })
  const ask = async (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.text(),
      () => '',
    )
  const ofWorker = async (series: string) => valueIn(await ask('/metrics'), series)

  it('are those of docs/metrics.md, with their types and labels', async () => {
    await expect.poll(() => ofWorker('vis_feed_runs_total{feed="epss",outcome="failed"}'), soon).toBe(1)
    await expect.poll(() => ofWorker('vis_published_cves_total{change="added"}'), soon).toBe(0)
    expectDocumented(readExposition(await ask('/metrics')), documentedMetrics('worker'))
  })

  it('tell how feeds are doing, whoever ran them', async () => {
    const text = await ask('/metrics')
    expect(valueIn(text, 'vis_feed_records{feed="kev"}')).toBe(1)
    expect(valueIn(text, 'vis_feed_failures{feed="kev"}')).toBe(0)
    expect(valueIn(text, 'vis_feed_last_success_timestamp_seconds{feed="kev"}')).toBeGreaterThan(
      Date.now() / 1000 - 120,
    )
    expect(valueIn(text, 'vis_feed_last_success_timestamp_seconds{feed="epss"}')).toBe(0)
    expect(valueIn(text, 'vis_feed_upstream_timestamp_seconds{feed="kev"}')).toBe(Date.UTC(2026, 7, 21, 17) / 1000)
    expect(valueIn(text, 'vis_feed_interval_seconds{feed="kev"}')).toBe(1800)
    expect(await ask('/ready')).toBe('ready\n')
  })

  it('tell when something was published, and that nothing waits', async () => {
    const text = await ask('/metrics')
    expect(valueIn(text, 'vis_publication_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 120)
    expect(valueIn(text, 'vis_change_log_newest')).toBeGreaterThan(0)
    expect(valueIn(text, 'vis_worker_state_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 120)
    expect(valueIn(text, 'vis_publication_queue_length')).toBe(0)
  })

  it('end with it', async () => {
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(await ask('/live')).toBe('')
  })
})

describe('What waits for publication', async () => {
  const pool = openPool((await testDatabase()).url, 'metrics-test', LIMITS, () => {})
  atEnd(() => pool.close())

  it('is nothing at first', async () => {
    expect(await readPublication(pool.db)).toEqual({
      waiting: 0,
      waitingSeconds: 0,
      position: 0,
      publishedAt: null,
      faults: 0,
    })
  })

  it('is counted, and timed by the first in the queue', async () => {
    await sql`
      insert into source.publication_queue (cve_id, feed, queued_at)
      values ('CVE-2024-0001', 'kev', now() - interval '1 hour'), ('CVE-2024-0001', 'nvd', now())
    `.execute(pool.db)
    await sql`insert into catalog.change (kind, at) values ('kev', '2026-08-01T00:00:00Z')`.execute(pool.db)
    await sql`
      insert into catalog.publication_fault (cve_id, reason, at)
      values ('CVE-2024-0002', 'It makes no sense.', now())
    `.execute(pool.db)

    const state = await readPublication(pool.db)
    expect(state).toMatchObject({ waiting: 2, position: 1, publishedAt: new Date('2026-08-01T00:00:00Z'), faults: 1 })
    expect(state.waitingSeconds).toBeGreaterThan(3599)
  })
})
