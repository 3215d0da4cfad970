// Starts the complete service in the test's own process: on a free port, with its own database and Redis prefix.
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { endpoints as allEndpoints } from '../../src/api/endpoints/index.ts'
import type { Metrics } from '../../src/api/metrics.ts'
import type { ServedEndpoint } from '../../src/api/services.ts'
import { loadConfig } from '../../src/config.ts'
import { openPool } from '../../src/database/postgres.ts'
import { createLog } from '../../src/log.ts'
import { assembleNode } from '../../src/runtime/api-node.ts'
import { type Api, createApiClient } from './api.ts'
import { account, createTestKey, type Fixture } from './builders.ts'
import { cleanUpAfterTests } from './cleanup.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startTestIdentity, type TestIdentity } from './identity.ts'
import { createAnswerValidator } from './schema-assertions.ts'

export interface TestService {
  readonly api: Api
  readonly clock: TestClock
  readonly database: TestDatabase
  readonly metrics: Metrics
  /** The process that decides on sign-ins; undefined if the test did not request it. */
  readonly identity: TestIdentity | undefined
  /** The HTTP server of the service. */
  readonly server: Server
  /** Starts draining the node, as SIGTERM does. */
  startDraining(): void
  /** Log lines of the service, oldest first. */
  readonly logLines: readonly string[]
  /** Environment variables with which the service was started. */
  readonly environment: Readonly<Record<string, string>>
  /** Stores the fixtures in the database of the service. */
  given(...fixtures: readonly Fixture[]): Promise<void>
}

export interface TestServiceOptions {
  readonly endpoints?: readonly ServedEndpoint[]
  readonly environment?: Readonly<Record<string, string>>
  /** Folder of a built console. Without it, the console has sessions and endpoints, but no pages. */
  readonly consoleFolder?: string
  /** Whether a process that decides on sign-ins runs. By default, one does if mail or a provider is set up. */
  readonly hasIdentity?: boolean
}

/**
 * Timeouts are longer than in production, so that a busy machine does not make tests fail. startTestService uses them
 * unless a test sets a limit itself; services in separate processes get them from the test.
 */
export const EXTENDED_TIMEOUTS = {
  CHARGE_DEADLINE_MS: '10000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '20000',
  DATABASE_LOCK_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
  MAX_EVENT_LOOP_DELAY_MS: '10000',
} as const

/** Limits with which a node notices within 2 s that a database does not answer, for tests of outages. */
export const OUTAGE_TIMEOUTS = {
  CHARGE_DEADLINE_MS: '2000',
  DATABASE_ACQUIRE_TIMEOUT_MS: '2000',
  DATABASE_LOCK_TIMEOUT_MS: '2000',
  DATABASE_STATEMENT_TIMEOUT_MS: '2000',
} as const

const FIXTURE_POOL_LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/**
 * Starts the service. Must be called at the top of a test file. Requests without an explicit key use the key of a pro
 * account.
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const endpoints = options.endpoints ?? allEndpoints
  const database = await createTestDatabase()
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    REDIS_URL: inject('redisUrl'),
    REDIS_PREFIX: `vis_test_${randomBytes(6).toString('hex')}:`,
    ...EXTENDED_TIMEOUTS,
    ...options.environment,
  }
  const [clock, logLines] = [createTestClock(), [] as string[]]
  const hasIdentity = options.hasIdentity ?? ('SMTP_URL' in environment || 'OIDC_ISSUER' in environment)
  const identity = hasIdentity ? await startTestIdentity(environment, { logLines }) : undefined
  const log = createLog('debug', { write: (line) => void logLines.push(line) })
  const node = await assembleNode(loadConfig(environment), {
    endpoints,
    clock: clock.now,
    log,
    consoleFolder: options.consoleFolder,
  })
  const { app, metrics } = node
  // The fixtures use a separate connection pool with longer timeouts: storing fixtures must not fail on a busy machine.
  const fixturePool = openPool(environment.DATABASE_URL, 'given', FIXTURE_POOL_LIMITS, () => {})
  await app.listen({ host: '127.0.0.1', port: 0 })
  cleanUpAfterTests(async () => {
    app.server.closeAllConnections()
    await node.close()
    await fixturePool.close()
  })
  const given = async (...fixtures: readonly Fixture[]) => {
    for (const fixture of fixtures) await fixture.store(fixturePool.db)
  }
  const defaultKey = createTestKey()
  await given(account('pro').withKey(defaultKey))
  const { port } = app.server.address() as AddressInfo
  const api = createApiClient(port, () => defaultKey.key, createAnswerValidator(endpoints))
  return {
    api,
    clock,
    database,
    environment,
    given,
    identity,
    logLines,
    metrics,
    server: app.server,
    startDraining: node.startDraining,
  }
}
