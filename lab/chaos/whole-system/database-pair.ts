// A PostgreSQL primary with a synchronous replica, behind proxies whose addresses stay the same after a failover. Nodes
// use the proxies; the test itself connects to the servers directly.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import {
  createReplyDroppingProxy,
  type ReplyDroppingProxy,
} from '../../../service/test/faults/credits/reply-dropping-proxy.ts'
import { migrateAll } from '../../../service/test/support/migrate-all.ts'
import { createFaultyProxy, type FaultyProxy } from '../../../service/test/support/network/faulty-proxy.ts'
import {
  createServerFolder,
  type PrivatePostgres,
  serverUser,
  startPostgresWithWal,
  startReplicaWithWal,
} from '../../../service/test/support/processes/private-postgres.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { createSmallDisk, type SmallDisk, smallDiskMissingReason } from './small-disk.ts'

interface Server {
  readonly postgres: PrivatePostgres
  /** Disk of the write-ahead log; undefined if this machine cannot mount a small disk. */
  readonly walDisk: SmallDisk | undefined
}

export interface DatabasePair {
  readonly primary: Server
  readonly replica: Server
  /** Proxy in front of the primary. */
  readonly primaryProxy: FaultyProxy
  /** Proxy between primaryProxy and the primary, which can drop replies to charges. */
  readonly replies: ReplyDroppingProxy
  /** Proxy in front of the replica. */
  readonly replicaProxy: FaultyProxy
  /** Kills the primary, promotes the replica, and starts a new replica. Resolves when the pair is complete again. */
  failOver(): Promise<void>
  /** Resolves when the replica has confirmed all commits of the primary. */
  waitForReplica(): Promise<void>
}

/** Logins with the privileges of an API node and of a worker. */
export const NODE_LOGIN = 'vis_node'
export const WORKER_LOGIN = 'vis_worker'

const WAL_DISK_MB = 160
const SETTINGS = [
  'max_connections=60',
  'max_wal_size=64MB',
  'min_wal_size=32MB',
  'wal_keep_size=32MB',
  'wal_retrieve_retry_interval=100ms',
  // A replica that never cancels queries cannot fail a read, and replay waits only for the length of one read.
  'max_standby_streaming_delay=-1',
  // After a crash the server stays down until the test starts it, as under a supervisor that has given up.
  'restart_after_crash=off',
]
const POLL_MS = 50
const REPLICA_TIMEOUT_MS = 100_000

export async function startDatabasePair(): Promise<DatabasePair> {
  let primary = await startServer((options) => startPostgresWithWal(options))
  await migrateAll(primary.postgres.url)
  await runStatements(
    primary.postgres.url,
    `create role ${NODE_LOGIN} login in role vis_api`,
    `create role ${WORKER_LOGIN} login in role vis_feeds`,
  )
  let replica = await startReplicaOf(primary)
  let isFailingOver = false
  const replies = await createReplyDroppingProxy(() => primary.postgres.url, 0)
  const primaryProxy = await createFaultyProxy(replies.url)
  const replicaProxy = await createFaultyProxy(() => (isFailingOver ? primary : replica).postgres.url)
  return {
    get primary() {
      return primary
    },
    get replica() {
      return replica
    },
    primaryProxy,
    replies,
    replicaProxy,
    failOver: async () => {
      isFailingOver = true
      await primary.postgres.stop('killed')
      await promote(replica)
      primary = replica
      replica = await startReplicaOf(primary)
      isFailingOver = false
    },
    waitForReplica: () => waitUntilSynchronous(primary),
  }
}

async function startServer(
  start: (options: { walFolder: string; settings: readonly string[] }) => Promise<PrivatePostgres>,
): Promise<Server> {
  const walDisk = smallDiskMissingReason === undefined ? createSmallDisk(WAL_DISK_MB, serverUser) : undefined
  const walFolder = join(walDisk?.folder ?? createServerFolder(), 'wal')
  return { walDisk, postgres: await start({ walFolder, settings: SETTINGS }) }
}

/** Starts a replica and lets every commit of the primary wait until the replica has stored it. */
async function startReplicaOf(primary: Server): Promise<Server> {
  const replica = await startServer((options) => startReplicaWithWal(primary.postgres, options))
  await setSynchronousStandbys(primary, '*')
  await waitUntilSynchronous(primary)
  return replica
}

async function promote(replica: Server): Promise<void> {
  await runStatements(replica.postgres.url, 'select pg_promote()')
  // The copied configuration makes commits wait for a replica, which does not exist yet.
  await setSynchronousStandbys(replica, '')
}

async function setSynchronousStandbys({ postgres }: Server, names: string): Promise<void> {
  await runStatements(
    postgres.url,
    `alter system set synchronous_standby_names = '${names}'`,
    'select pg_reload_conf()',
  )
}

async function waitUntilSynchronous({ postgres }: Server): Promise<void> {
  const client = new Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  try {
    const deadlineMs = performance.now() + REPLICA_TIMEOUT_MS
    for (;;) {
      const { rowCount } = await client.query(
        "select from pg_stat_replication where sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn()",
      )
      if (rowCount) return
      if (performance.now() > deadlineMs) throw new Error('The replica has not caught up with the primary in time.')
      await sleep(POLL_MS)
    }
  } finally {
    await client.end()
  }
}
