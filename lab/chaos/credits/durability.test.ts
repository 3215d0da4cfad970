// Ends a database server immediately after a call was answered, and looks for the charge of the call: on the restarted
// server, and on a replica.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLedgerPool, startPricedNode, storePayers } from '../../../service/test/faults/credits/setup.ts'
import { call } from '../../../service/test/faults/nodes/call.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import { buildPricePath } from '../../../service/test/support/price-probes.ts'
import {
  createServerFolder,
  type PrivatePostgres,
  postgresMissingReason,
  startPostgresWithWal,
  startPrivateReplica,
} from '../../../service/test/support/processes/private-postgres.ts'
import { readRows, runStatements } from '../../../service/test/support/run-statements.ts'
import { EXTENDED_TIMEOUTS } from '../../../service/test/support/service.ts'

const TIMEOUT_MS = 300_000
const POLL = { timeout: 100_000, interval: 50 }
const APPLY_DELAY_MS = 3000

/** Starts a server that writes a commit which does not wait to its disk only after 10 s. */
async function startServer(): Promise<{ readonly primary: PrivatePostgres; readonly key: string }> {
  expect(postgresMissingReason).toBeUndefined()
  const primary = await startPostgresWithWal({
    walFolder: join(createServerFolder(), 'wal'),
    settings: ['wal_writer_delay=10s', 'autovacuum=off'],
  })
  await migrateAll(primary.url)
  const pool = openLedgerPool(primary.url)
  const [payer] = await storePayers(pool.db, { ample: 1, limited: 0, creditsLeft: 0 })
  await pool.close()
  return { primary, key: payer?.key ?? '' }
}

/** Starts a node and waits until it has read what a charge survives. */
async function startNode(url: string, commit: string) {
  const node = await startPricedNode({ ...EXTENDED_TIMEOUTS, DATABASE_URL: url, CHARGE_COMMIT: commit })
  const readMetrics = async () => (await call({ port: node.opsPort, path: '/metrics' })).body
  await expect.poll(readMetrics, POLL).not.toContain('survives="unknown"')
  return { ...node, readMetrics }
}

async function charge(port: number, key: string): Promise<string> {
  const { status, headers } = await call({ port, path: buildPricePath(1), headers: { 'X-API-Key': key } })
  expect(status).toBe(200)
  return String(headers['x-correlation-id']).replace(/^req_/, '')
}

const countCharges = async (url: string, requestId: string) =>
  (await readRows(url, 'select from accounts.ledger where request_id = $1', [requestId])).length

describe('A charge whose call was answered', () => {
  it.each([
    ['on', 1],
    // This shows that the test can tell the difference.
    ['off', 0],
  ])('with CHARGE_COMMIT=%s, before the server crashes: %i left', { timeout: TIMEOUT_MS }, async (commit, left) => {
    const { primary, key } = await startServer()
    const node = await startNode(primary.url, commit)
    // The first calls also look up the key and open connections.
    await charge(node.port, key)
    await runStatements(primary.url, 'checkpoint')
    const requestId = await charge(node.port, key)
    await primary.stop('immediate')
    await node.kill()
    await primary.start()

    expect(await countCharges(primary.url, requestId)).toBe(left)
  })

  it.each([
    ['remote_apply', 1],
    // The replica has stored the charge, but applies it only later.
    ['on', 0],
  ])('with CHARGE_COMMIT=%s, seen on a replica: %i', { timeout: TIMEOUT_MS }, async (commit, seen) => {
    const { primary, key } = await startServer()
    const replica = await startPrivateReplica(primary, APPLY_DELAY_MS)
    await runStatements(
      primary.url,
      "alter system set synchronous_standby_names = '*'",
      'alter system set synchronous_commit = local',
      'select pg_reload_conf()',
    )
    const isSynchronous = () => readRows(primary.url, "select from pg_stat_replication where sync_state = 'sync'")
    await expect.poll(isSynchronous, POLL).toHaveLength(1)
    const node = await startNode(primary.url, commit)

    const requestId = await charge(node.port, key)
    expect(await countCharges(replica.url, requestId)).toBe(seen)
    expect(await node.readMetrics()).toContain(`vis_charge_commit_info{commit="${commit}",survives="loss"} 1`)
    const report = node.logLines.find((line) => line.includes('synchronousStandbyNames'))
    expect(JSON.parse(report ?? '{}')).toMatchObject({
      commit,
      survives: 'loss',
      replicas: 1,
      synchronousReplicas: 1,
      warnings: [expect.stringContaining('fsync is off')],
    })
    await node.stop()
  })
})
