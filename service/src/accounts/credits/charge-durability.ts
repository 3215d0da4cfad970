// Reads which failures a confirmed charge survives. That depends on how charges are committed (CHARGE_COMMIT), whether
// the server writes to its disk, and whether it has synchronous replicas.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { ChargeCommit } from '../../domain/account/charge-commit.ts'

/**
 * The worst failure that a confirmed charge survives. `nothing`: even a crash of the database server may lose the
 * charge. `crash`: a crash of the primary and of its machine. `loss`: the loss of the primary, because a replica has
 * the charge too.
 */
export type Survives = 'nothing' | 'crash' | 'loss'

export interface ChargeDurability {
  readonly commit: ChargeCommit
  readonly survives: Survives
  readonly synchronousStandbyNames: string
  readonly replicas: number
  /** Number of replicas that commits wait for; undefined if the login may not see it (pg_read_all_stats). */
  readonly synchronousReplicas: number | undefined
  readonly warnings: readonly string[]
}

export interface ServerState {
  readonly commit: ChargeCommit
  readonly fsync: boolean
  readonly full_page_writes: boolean
  readonly standby_names: string
  readonly replicas: number
  readonly synchronous_replicas: number | null
}

/** Sets synchronous_commit as the statements of charge-batch.ts do, so that it reads the value that they get. */
export async function readChargeDurability(accounts: Database, commit: ChargeCommit): Promise<ChargeDurability> {
  const { rows } = await sql<ServerState>`
    select set_config('synchronous_commit', ${commit}, true) as commit,
           current_setting('fsync')::boolean as fsync,
           current_setting('full_page_writes')::boolean as full_page_writes,
           current_setting('synchronous_standby_names') as standby_names,
           replicas,
           synchronous_replicas
      from (
        select count(*)::integer as replicas,
               case
                 when count(*) = count(sync_state)
                 then (count(*) filter (where sync_state in ('sync', 'quorum')))::integer
               end as synchronous_replicas
          from pg_catalog.pg_stat_replication
      ) replication
  `.execute(accounts)
  const [state] = rows
  if (!state) throw new Error('the server did not tell its settings')
  return assessDurability(state)
}

export function assessDurability(state: ServerState): ChargeDurability {
  return {
    commit: state.commit,
    survives: decideSurvival(state),
    synchronousStandbyNames: state.standby_names,
    replicas: state.replicas,
    synchronousReplicas: state.synchronous_replicas ?? undefined,
    warnings: [...listWarnings(state)],
  }
}

function decideSurvival({ commit, standby_names, fsync, full_page_writes }: ServerState): Survives {
  if (commit === 'off') return 'nothing'
  if (standby_names !== '') return 'loss'
  return fsync && full_page_writes ? 'crash' : 'nothing'
}

function* listWarnings({ commit, ...state }: ServerState): Iterable<string> {
  if (commit === 'off') yield 'CHARGE_COMMIT is off: a crash of the database server loses charges of answered calls'
  if (!state.fsync) yield 'fsync is off: a crash of the machine of the database may lose charges and damage the data'
  if (!state.full_page_writes)
    yield 'full_page_writes is off: a crash of the machine of the database may damage the data'
  const waitsForReplica = commit === 'remote_write' || commit === 'remote_apply'
  if (waitsForReplica && state.standby_names === '')
    yield `CHARGE_COMMIT is ${commit}, but the server has no synchronous_standby_names: a charge waits for no replica`
  if (commit !== 'off' && state.standby_names !== '' && (state.synchronous_replicas ?? state.replicas) === 0)
    yield 'no synchronous replica is connected: charges wait for one and are answered with 503'
}
