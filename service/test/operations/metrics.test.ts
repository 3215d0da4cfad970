import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../tools/free-port.ts'
import { readPublicationStatus } from '../../src/catalog/reports/publication-status.ts'
import { openPool } from '../../src/database/postgres.ts'
import { startFeeds } from '../faults/feeds/process.ts'
import { buildKevFile, writeTemporaryDirectory } from '../feeds/temporary-files.ts'
import { account, createTestKey } from '../support/builders.ts'
import { cve } from '../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { startPrivateRedis } from '../support/processes/private-redis.ts'
import { runCommand } from '../support/run-command.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestService } from '../support/service.ts'
import { type MetricTable, parseExposition, readDocumentedMetrics } from './metrics-page.ts'

const redis = await startPrivateRedis()
const { api, given, metrics } = await startTestService({ environment: { REDIS_URL: redis.url } })
const LIMITS = { poolSize: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
const POLL = { timeout: 100_000, interval: 100 }

/** Returns the value of a metric series, which is given by name and labels in Prometheus' text format. */
function parseValue(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const readNodeMetric = async (series: string) => parseValue(await metrics.text(), series)

/** Compares metric types and labels. Labels of a metric that has no samples yet are unknown and not compared. */
function expectDocumented(shown: MetricTable, documented: MetricTable): void {
  const [seen, written] = [Object.fromEntries(shown), Object.fromEntries(documented)]
  const withLabels = Object.entries(seen).map(([name, { type, labels }]) => [
    name,
    { type, labels: labels.length > 0 ? labels : (written[name]?.labels ?? []) },
  ])
  expect(Object.fromEntries(withLabels)).toEqual(written)
}

describe('Metrics of an API node', () => {
  it('match the node metrics in docs/metrics.md in name, type and labels', async () => {
    await api.get('/api/v1/ping-lite')
    expectDocumented(parseExposition(await metrics.text()), readDocumentedMetrics('node'))
  })

  it('count record cache hits and misses and the size of the cache', async () => {
    await given(cve('CVE-2026-2000', { description: 'Requested three times.' }))
    const readLookups = (result: string) => readNodeMetric(`vis_record_cache_answers_total{result="${result}"}`)
    // An API node uses its cache of CVE records only after it has read the change log once.
    await expect.poll(() => readNodeMetric('vis_change_log_position'), POLL).toBeGreaterThan(0)
    const misses = (await readLookups('miss')) ?? 0
    const callAndRead = async (id: string, result: string) => {
      await api.get(`/api/v1/cve/${id}`)
      return readLookups(result)
    }

    // The first call is a miss. On a busy machine further calls may be, too: a node bypasses a cache that may be outdated.
    await expect.poll(() => callAndRead('CVE-2026-2000', 'hit'), POLL).toBe(2)
    await expect.poll(() => callAndRead('CVE-2026-2999', 'absent'), POLL).toBe(2)

    expect(await readLookups('miss')).toBeGreaterThanOrEqual(misses + 2)
    expect(await readNodeMetric('vis_record_cache_records')).toBe(1)
    expect(await readNodeMetric('vis_record_cache_bytes')).toBeGreaterThan(1000)
    await expect.poll(() => readNodeMetric('vis_change_log_poll_age_seconds'), POLL).toBeLessThan(2)
  })

  it('show the rate limit fallback while Redis is unavailable', async () => {
    const key = await createFreeKey()
    expect(await readNodeMetric('vis_rate_limit_fallback_active')).toBe(0)
    await redis.kill()
    for (let call = 0; call < 6; call += 1) await api.get('/api/v1/ping', { key })
    expect(await readNodeMetric('vis_rate_limit_fallback_active')).toBe(1)

    await redis.start()
    const callAndRead = async () => {
      await api.get('/api/v1/ping', { key })
      return readNodeMetric('vis_rate_limit_fallback_active')
    }
    await expect.poll(callAndRead, POLL).toBe(0)
  })
})

/** Creates a database and the logins of a worker, and returns its settings. */
async function createWorkerSettings(): Promise<Readonly<Record<string, string>>> {
  const { url, name } = await createTestDatabase()
  const createLogin = async (role: string) => {
    const login = `${name}_${role}`
    await runStatements(url, `create role ${login} login in role ${role}`)
    cleanUpAfterTests(() => runStatements(url, `drop owned by ${login}; drop role ${login}`))
    return Object.assign(new URL(url), { username: login }).href
  }
  return {
    DATABASE_URL: await createLogin('vis_feeds'),
    IDENTITY_DATABASE_URL: await createLogin('vis_identity'),
    JOBS_DATABASE_URL: await createLogin('vis_jobs'),
    NOTIFY_DATABASE_URL: await createLogin('vis_notify'),
    // With SMTP_URL the worker has the metrics of mails. No server runs at the address, because no test sends a mail.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'vis@example.org',
    PUBLIC_URL: 'http://127.0.0.1',
  }
}

async function createFreeKey(): Promise<string> {
  const key = createTestKey()
  await given(account('free').withKey(key))
  return key.key
}

describe('Metrics of a worker with logins in the roles vis_feeds, vis_identity, vis_jobs and vis_notify', async () => {
  const environment = { NODE_ENV: 'test', ...(await createWorkerSettings()) }
  const from = await writeTemporaryDirectory({
    'known_exploited_vulnerabilities.json': buildKevFile(['CVE-2024-0001']),
  })
  await runCommand(['sync', 'kev', '--from', from], environment)
  const port = await freePort()
  // The feed kev was run recently and is not run again. The feed epss is run and fails, because tests have no network.
  const worker = startFeeds(['worker', 'kev', 'epss'], { ...environment, WORKER_OPS_PORT: String(port) })
  const fetchText = async (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.text(),
      () => '',
    )
  const readWorkerMetric = async (series: string) => parseValue(await fetchText('/metrics'), series)

  it('match the worker metrics in docs/metrics.md in name, type and labels', async () => {
    await expect.poll(() => readWorkerMetric('vis_feed_runs_total{feed="epss",outcome="failed"}'), POLL).toBe(1)
    await expect.poll(() => readWorkerMetric('vis_published_cves_total{change="added"}'), POLL).toBe(0)
    await expect.poll(() => readWorkerMetric('vis_jobs_waiting{queue="mail"}'), POLL).toBe(0)
    expect(await readWorkerMetric('vis_mail_delayed')).toBe(0)
    expectDocumented(parseExposition(await fetchText('/metrics')), readDocumentedMetrics('worker'))
  })

  it('show the state of feeds that another process ran', async () => {
    const text = await fetchText('/metrics')
    expect(parseValue(text, 'vis_feed_records{feed="kev"}')).toBe(1)
    expect(parseValue(text, 'vis_feed_failures{feed="kev"}')).toBe(0)
    expect(parseValue(text, 'vis_feed_last_success_timestamp_seconds{feed="kev"}')).toBeGreaterThan(
      Date.now() / 1000 - 120,
    )
    expect(parseValue(text, 'vis_feed_last_success_timestamp_seconds{feed="epss"}')).toBe(0)
    expect(parseValue(text, 'vis_feed_upstream_timestamp_seconds{feed="kev"}')).toBe(Date.UTC(2026, 7, 21, 17) / 1000)
    expect(parseValue(text, 'vis_feed_data_age_seconds{feed="kev"}')).toBeGreaterThanOrEqual(
      Math.floor(Date.now() / 1000 - Date.UTC(2026, 7, 21, 17) / 1000) - 120,
    )
    expect(parseValue(text, 'vis_feed_data_max_age_seconds{feed="kev"}')).toBe(21 * 86_400)
    expect(parseValue(text, 'vis_feed_interval_seconds{feed="kev"}')).toBe(1800)
    expect(await fetchText('/ready')).toBe('ready\n')
  })

  it('show the time of the last publication and an empty publication queue', async () => {
    const text = await fetchText('/metrics')
    expect(parseValue(text, 'vis_publication_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 120)
    expect(parseValue(text, 'vis_change_log_newest')).toBeGreaterThan(0)
    expect(parseValue(text, 'vis_worker_state_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 120)
    expect(parseValue(text, 'vis_publication_queue_length')).toBe(0)
  })

  it('are no longer served after SIGTERM', async () => {
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    expect(await fetchText('/live')).toBe('')
  })
})

describe('readPublicationStatus', async () => {
  const pool = openPool((await createTestDatabase()).url, 'metrics-test', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())

  it('returns zeros for a new database', async () => {
    expect(await readPublicationStatus(pool.db)).toEqual({
      waiting: 0,
      waitingSeconds: 0,
      position: 0,
      publishedAt: null,
      failedCves: 0,
      urgentShare: { urgent: 0, cves: 0 },
    })
  })

  it('returns the length of the publication queue and the age of its oldest row', async () => {
    await sql`
      insert into source.publication_queue (cve_id, feed, queued_at)
      values ('CVE-2024-0001', 'kev', now() - interval '1 hour'), ('CVE-2024-0001', 'nvd', now())
    `.execute(pool.db)
    await sql`insert into catalog.change (kind, at) values ('kev', '2026-08-01T00:00:00Z')`.execute(pool.db)
    await sql`
      insert into catalog.publication_fault (cve_id, reason, at)
      values ('CVE-2024-0002', 'invalid data', now())
    `.execute(pool.db)

    const state = await readPublicationStatus(pool.db)
    expect(state).toMatchObject({
      waiting: 2,
      position: 1,
      publishedAt: new Date('2026-08-01T00:00:00Z'),
      failedCves: 1,
      urgentShare: { urgent: 0, cves: 0 },
    })
    expect(state.waitingSeconds).toBeGreaterThan(3599)
  })
})
