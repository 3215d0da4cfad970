import { Registry } from '@prometheus-io/client'
import { describe, expect, it } from 'vitest'
import { describeJobsLogin } from '../../src/commands/command-login.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createJobMetrics } from '../../src/runtime/jobs/metrics.ts'
import { TIMED_QUEUES } from '../../src/runtime/jobs/queues.ts'
import { startJobs } from '../../src/runtime/jobs/start-jobs.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { readRows, runStatements } from '../support/run-statements.ts'
import { EXTENDED_TIMEOUTS } from '../support/service.ts'

const POLL = { timeout: 30_000 }

async function start(url: string, environment: Readonly<Record<string, string>> = {}) {
  const logLines: string[] = []
  const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: url, ...EXTENDED_TIMEOUTS, ...environment })
  const log = createLog('debug', { write: (line) => void logLines.push(line) })
  const jobs = startJobs(config, {
    log,
    metrics: createJobMetrics(new Registry()),
    describeProblem: describeJobsLogin,
  })
  cleanUpAfterTests(jobs.stop)
  return { logLines, stop: jobs.stop }
}

const readFinished = async (url: string) =>
  (
    await readRows(
      url,
      "select name from jobs.job where state = 'completed' and name not like '%pgboss%' order by name",
    )
  ).map(({ name }) => name)

const readScheduled = async (url: string) =>
  (await readRows(url, 'select name from jobs.schedule order by name')).map(({ name }) => name)

describe('A process that runs jobs', () => {
  it('runs every timer once when it starts, and then at its times', async () => {
    const { url } = await createTestDatabase()
    const names = TIMED_QUEUES.map(({ name }) => name).sort()
    const { stop } = await start(url)
    await expect.poll(() => readFinished(url), POLL).toEqual(names)
    expect(await readScheduled(url)).toEqual(names)
    await stop()
  })

  it('makes no snapshots and deletes no changes if snapshots are off, even if they were on before', async () => {
    const { url } = await createTestDatabase()
    const first = await start(url)
    await expect.poll(() => readScheduled(url), POLL).toHaveLength(TIMED_QUEUES.length)
    await first.stop()
    const { stop } = await start(url, { SNAPSHOTS: 'off' })
    await expect.poll(() => readScheduled(url), POLL).toEqual(['ledger', 'old-events', 'sign-in-data'])
    await stop()
  })

  it('says once which login it needs, and begins when it has the rights', async () => {
    const { url, name } = await createTestDatabase()
    const login = `${name}_feeds`
    await runStatements(url, `create role ${login} login in role vis_feeds`)
    cleanUpAfterTests(() => runStatements(url, `drop role ${login}`))
    const jobsUrl = Object.assign(new URL(url), { username: login }).href
    const { logLines, stop } = await start(url, { JOBS_DATABASE_URL: jobsUrl })
    const readHints = () => logLines.filter((line) => line.includes('jobs need a login with the role vis_jobs'))
    await expect.poll(readHints, POLL).toHaveLength(1)

    await runStatements(url, `grant vis_jobs to ${login}`)
    await expect.poll(() => readFinished(url), POLL).toHaveLength(TIMED_QUEUES.length)
    await stop()
    expect(readHints()).toHaveLength(1)
  })
})
