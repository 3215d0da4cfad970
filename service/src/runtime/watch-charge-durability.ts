// Reports which failures a confirmed charge survives (accounts/credits/charge-durability.ts): in the log when a node
// starts and after a change, and in a metric.
//
// The server's settings may change while the node runs, especially after a failover, so they are read repeatedly. An
// unreachable database does not prevent the start: the state is unknown until the next attempt.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChargeDurability, readChargeDurability, type Survives } from '../accounts/credits/charge-durability.ts'
import { isServerUnreachable } from '../database/classify-error.ts'
import type { Database } from '../database/postgres.ts'
import type { ChargeCommit } from '../domain/account/charge-commit.ts'
import type { Log } from '../log.ts'

const INTERVAL_MS = 60_000

export interface ChargeDurabilityWatch {
  readonly commit: ChargeCommit
  /** `unknown` until the database has answered. */
  survives(): Survives | 'unknown'
  stop(): Promise<void>
}

export function watchChargeDurability(
  accounts: Database,
  commit: ChargeCommit,
  log: Log,
  intervalMs = INTERVAL_MS,
): ChargeDurabilityWatch {
  const stopping = new AbortController()
  let known: ChargeDurability | undefined
  const look = async () => {
    const found = await readChargeDurability(accounts, commit)
    if (JSON.stringify(found) !== JSON.stringify(known)) report(found, log)
    known = found
  }
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((err: unknown) => {
        // After a failover another server answers, so the known state no longer applies.
        if (isServerUnreachable(err)) known = undefined
        log.warn({ err }, 'how charges are stored could not be read; retrying')
      })
      await sleep(intervalMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }
  const repeated = repeat()
  return {
    commit,
    survives: () => known?.survives ?? 'unknown',
    stop: async () => {
      stopping.abort()
      await repeated
    },
  }
}

const MEANINGS: Readonly<Record<Survives, string>> = {
  nothing: 'a confirmed charge may be lost in a crash of the database server',
  crash: 'a confirmed charge survives a crash of the database server, but not the loss of its disk',
  loss: 'a confirmed charge survives the loss of the primary database server',
}

function report({ warnings, ...found }: ChargeDurability, log: Log): void {
  if (warnings.length > 0) log.warn({ ...found, warnings }, MEANINGS[found.survives])
  else log.info(found, MEANINGS[found.survives])
}
