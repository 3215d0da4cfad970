// The service as it is, in this process, on a free port, with a database and a Redis prefix of its own.
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { endpoints as allEndpoints } from '../../src/api/endpoints/index.ts'
import type { Metrics } from '../../src/api/metrics.ts'
import type { ServedEndpoint } from '../../src/api/services.ts'
import { loadConfig } from '../../src/config.ts'
import { openPool } from '../../src/database/postgres.ts'
import { createLog } from '../../src/log.ts'
import { assembleNode } from '../../src/runtime/api-node.ts'
import { type Api, apiAt } from './api.ts'
import { account, aKey, type Given } from './builders.ts'
import { atEnd } from './cleanup.ts'
import { type TestClock, testClock } from './clock.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { judgeBy } from './schema-assertions.ts'

export interface TestService {
  readonly api: Api
  readonly clock: TestClock
  readonly database: TestDatabase
  readonly metrics: Metrics
  /** Everything that was logged, line by line. */
  readonly logLines: readonly string[]
  /** Settings of the environment that the service was started with. */
  readonly environment: Readonly<Record<string, string>>
  given(...wanted: readonly Given[]): Promise<void>
}

export interface TestServiceOptions {
  readonly endpoints?: readonly ServedEndpoint[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Deadlines are for production: a crowded test machine gets more time where they are not the subject. */
export const PATIENT = { CHARGE_DEADLINE_MS: '5000', DATABASE_ACQUIRE_TIMEOUT_MS: '5000' } as const

const PATIENT_POOL = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Call it at the top of a test file. Calls without a key of their own use that of a pro account. */
export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const endpoints = options.endpoints ?? allEndpoints
  const database = await testDatabase()
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: inject('redisUrl'),
    REDIS_PREFIX: `vis_test_${randomBytes(6).toString('hex')}:`,
    ...options.environment,
  }
  const [clock, logLines] = [testClock(), [] as string[]]
  const log = createLog('debug', { write: (line) => void logLines.push(line) })
  const node = await assembleNode(loadConfig(environment), { endpoints, clock: clock.now, log })
  const { app, metrics } = node
  // Not through the service's own pool: what a test prepares may take its time on a crowded machine.
  const patient = openPool(environment.DATABASE_URL, 'given', PATIENT_POOL, () => {})
  await app.listen({ host: '127.0.0.1', port: 0 })
  atEnd(async () => {
    app.server.closeAllConnections()
    await node.close()
    await patient.close()
  })
  const given = async (...wanted: readonly Given[]) => {
    for (const each of wanted) await each.store(patient.db)
  }
  const usual = aKey()
  await given(account('pro').withKey(usual))
  const { port } = app.server.address() as AddressInfo
  const api = apiAt(port, () => usual.key, judgeBy(endpoints))
  return { api, clock, database, environment, given, logLines, metrics }
}
