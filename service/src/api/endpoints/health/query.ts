// Reads the states of the data sets for /health. Each process keeps the states that it last read, so that /health can
// be answered while the database is unreachable. A new process has no states until its first successful read.
import { sql } from 'kysely'
import type { Loading } from '../../../contract/response/loading.ts'
import { classifyDatabaseError } from '../../../database/classify-error.ts'
import type { Database } from '../../../database/postgres.ts'
import type { AsOfBasis, DataSetExtent, DataSetTimes } from '../../../domain/source/data-age.ts'
import { readLoading } from '../../../record/first-load.ts'
import { coalesce } from '../../coalesce.ts'

export interface Dataset extends DataSetTimes, DataSetExtent {
  readonly asOfBasis: AsOfBasis | null
  readonly tableCount: number
  readonly lastRunAt: Date | null
  readonly lastRunResult: string | null
  readonly rejectedCount: number
  /** Whether /health reports the service as degraded if this data set is stale. */
  readonly isRequired: boolean
}

/**
 * Reads the states of the data sets with one query for all concurrent requests. Otherwise anyone could use up the
 * database connections, because /health requires no API key.
 */
export const readState = coalesce(
  async (db: Database) => ({ datasets: await queryDatasets(db), loading: await readLoading(db) }),
  { maxAgeMs: 0 },
)

interface State {
  readonly datasets: readonly Dataset[]
  /** Null if the first load is finished. */
  readonly loading: Loading | null
}

interface KnownState extends State {
  /** False if the database could not be read. */
  readonly isCurrent: boolean
  /** False if this process has never read the database. */
  readonly isKnown: boolean
}

const lastKnown = new WeakMap<Database, State>()
/** The data sets in every response of /health, for a process that has never read the database. */
const NEVER_READ: readonly Dataset[] = ['acsc', 'epss', 'kev'].map((name) => ({
  name,
  tableCount: 0,
  lastSuccessAt: null,
  staleAfterSeconds: 0,
  upstreamAt: null,
  asOfBasis: null,
  indexCount: null,
  unheldCount: 0,
  lastRunAt: null,
  lastRunResult: null,
  rejectedCount: 0,
  isRequired: true,
}))

/** Reads the states of the data sets. If the database does not answer, returns the states that were last read. */
export async function readStateOrLastKnown(db: Database, now: Date): Promise<KnownState> {
  try {
    const state = await readState(db, now)
    lastKnown.set(db, state)
    return { ...state, isCurrent: true, isKnown: true }
  } catch (error) {
    if (classifyDatabaseError(error) === 'bug') throw error
    const state = lastKnown.get(db)
    return { ...(state ?? { datasets: NEVER_READ, loading: null }), isCurrent: false, isKnown: state !== undefined }
  }
}

interface Row {
  readonly name: string
  readonly table_count: string
  readonly last_success_at: Date | null
  readonly stale_after_seconds: number
  readonly upstream_at: Date | null
  readonly as_of_basis: AsOfBasis | null
  readonly index_count: string | null
  readonly unheld_count: string
  readonly last_run_at: Date | null
  readonly last_run_result: string | null
  readonly rejected_count: string
  readonly is_required: boolean
}

async function queryDatasets(db: Database): Promise<Dataset[]> {
  const { rows } = await sql<Row>`
    select name, table_count, last_success_at, stale_after_seconds,
           upstream_at, as_of_basis, index_count, unheld_count, last_run_at, last_run_result, rejected_count, is_required
      from catalog.dataset
     order by name
  `.execute(db)
  return rows.map((row) => ({
    name: row.name,
    tableCount: Number(row.table_count),
    lastSuccessAt: row.last_success_at,
    staleAfterSeconds: row.stale_after_seconds,
    upstreamAt: row.upstream_at,
    asOfBasis: row.as_of_basis,
    indexCount: row.index_count === null ? null : Number(row.index_count),
    unheldCount: Number(row.unheld_count),
    lastRunAt: row.last_run_at,
    lastRunResult: row.last_run_result,
    rejectedCount: Number(row.rejected_count),
    isRequired: row.is_required,
  }))
}
