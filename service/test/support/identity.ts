// Runs the parts of a worker that decide on sign-ins and send mails in the test's own process.
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from '@prometheus-io/client'
import { sql } from 'kysely'
import { storeSignInRules } from '../../src/accounts/people/sign-in-rules.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { openPool } from '../../src/database/postgres.ts'
import { createLog } from '../../src/log.ts'
import { startIdentity } from '../../src/runtime/identity/identity.ts'
import { createIdentityMetrics } from '../../src/runtime/identity/metrics.ts'
import { assertSignInSettings, buildSignInRules } from '../../src/runtime/identity/settings.ts'
import { createJobMetrics } from '../../src/runtime/jobs/metrics.ts'
import { startJobs } from '../../src/runtime/jobs/start-jobs.ts'
import { cleanUpAfterTests } from './cleanup.ts'

const OWNER_LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

export interface TestIdentity {
  /** The metrics in the text format of Prometheus. */
  metricsText(): Promise<string>
  stop(): Promise<void>
}

/** Stores the rules from the settings, as `vis-server migrate` does. */
export async function storeRules(config: Config): Promise<void> {
  const owner = openPool(config.database.accountsOwnerUrl, 'rules', OWNER_LIMITS, () => {})
  await owner.db.transaction().execute((tx) => storeSignInRules({ tx, operator: 'test' }, buildSignInRules(config)))
  await owner.close()
}

interface TestIdentityOptions {
  /** Receives the lines of the log. */
  readonly logLines?: string[]
  /** False for a process whose settings differ from those that the database was migrated with. */
  readonly storesRules?: boolean
}

/**
 * Stores the rules, starts the process, and returns when it has reported that it is running. It stops after the tests.
 */
export async function startTestIdentity(
  environment: Readonly<Record<string, string>>,
  { logLines = [], storesRules = true }: TestIdentityOptions = {},
): Promise<TestIdentity> {
  const config = loadConfig(environment)
  assertSignInSettings(config)
  if (storesRules) await storeRules(config)
  const registry = new Registry()
  const log = createLog('debug', { write: (line) => void logLines.push(line) })
  const jobs =
    config.signIn.smtpUrl === null ? undefined : startJobs(config, { log, metrics: createJobMetrics(registry) })
  const onMailAsked = () => jobs?.wake()
  const identity = startIdentity(config, { log, metrics: createIdentityMetrics(registry), onMailAsked })
  let stopped: Promise<unknown> | undefined
  const stop = async () => {
    stopped ??= Promise.all([identity.stop(), jobs?.stop()])
    await stopped
  }
  cleanUpAfterTests(stop)
  await waitForReport(config)
  return { metricsText: () => registry.metrics(), stop }
}

async function waitForReport({ database }: Config): Promise<void> {
  const owner = openPool(database.accountsOwnerUrl, 'report', OWNER_LIMITS, () => {})
  try {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const { rows } = await sql`select from accounts.identity_status`.execute(owner.db)
      if (rows.length > 0) return
      await sleep(25)
    }
    throw new Error('the process that decides about sign-ins has not reported within 5 s')
  } finally {
    await owner.close()
  }
}
