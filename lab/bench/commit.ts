// How the run commits its charges: the setting CHARGE_COMMIT of the processes, and what the server makes of it. A charge
// that does not wait for the disk is cheaper, so a figure without this says little.
import { type ChargeDurability, readChargeDurability } from '../../service/src/accounts/credits/charge-durability.ts'
import { openPool } from '../../service/src/database/postgres.ts'
import {
  CHARGE_COMMITS,
  type ChargeCommit,
  DEFAULT_CHARGE_COMMIT,
} from '../../service/src/domain/account/charge-commit.ts'

const LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

/** Reads the setting CHARGE_COMMIT of the run, which is the one of its processes. */
export function readCommitSetting(text: string | undefined): ChargeCommit {
  const commit = CHARGE_COMMITS.find((each) => each === (text ?? DEFAULT_CHARGE_COMMIT))
  if (!commit) throw new Error(`CHARGE_COMMIT must be one of ${CHARGE_COMMITS.join(', ')}.`)
  return commit
}

export async function readDurability(url: string, commit: ChargeCommit): Promise<ChargeDurability> {
  const pool = openPool(url, 'bench', LIMITS, () => {})
  try {
    return await readChargeDurability(pool.db, commit)
  } finally {
    await pool.close()
  }
}

export function formatDurability({ commit, survives }: Pick<ChargeDurability, 'commit' | 'survives'>): string {
  return `CHARGE_COMMIT=${commit}, a charge survives ${survives === 'nothing' ? 'nothing' : `the ${survives}`}`
}

/** Returns why a run may not be recorded; undefined if it may. */
export function findRecordingObstacle({ survives, warnings }: ChargeDurability): string | undefined {
  if (survives !== 'nothing') return undefined
  return `--write needs durable charges: ${warnings.join('; ')}.`
}
