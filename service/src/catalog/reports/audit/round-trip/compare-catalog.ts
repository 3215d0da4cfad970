// Makes the round trip for the whole catalog in batches, or for given CVEs.
import type { Database } from '../../../../database/postgres.ts'
import { countServed, type KeyedRow, readServedBatches, readServedRows } from '../../served/read-served.ts'
import { createRoundTripCounters, type RoundTrip } from './counters.ts'
import { readRawCves } from './raw-cve.ts'
import { compareCve } from './round-trip.ts'
import { readServedValues } from './served-values.ts'

export interface RoundTripOptions {
  /** Maximum number of example ids per kind. */
  readonly maxExamples: number
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

export async function compareCatalog(db: Database, { maxExamples, onProgress }: RoundTripOptions): Promise<RoundTrip> {
  const counters = createRoundTripCounters(maxExamples)
  const total = await countServed(db)
  let done = 0
  for await (const rows of readServedBatches(db)) {
    await compareBatch(db, rows, counters)
    done += rows.length
    onProgress?.({ done, total })
  }
  return counters.result()
}

/** CVEs without a record are left out. */
export async function compareCves(
  db: Database,
  ids: readonly string[],
  { maxExamples }: Pick<RoundTripOptions, 'maxExamples'>,
): Promise<RoundTrip> {
  const counters = createRoundTripCounters(maxExamples)
  await compareBatch(db, [...(await readServedRows(db, ids)).values()], counters)
  return counters.result()
}

export async function compareBatch(
  db: Database,
  rows: readonly KeyedRow[],
  counters: Pick<ReturnType<typeof createRoundTripCounters>, 'count'>,
): Promise<void> {
  const [ids, keys] = [rows.map((each) => each.cve_id), rows.map((each) => each.cve_key)]
  const [raw, served] = [await readRawCves(db, ids), await readServedValues(db, keys)]
  for (const row of rows) {
    const ofCve = raw.get(row.cve_id)
    if (ofCve !== undefined) counters.count(row.cve_id, compareCve(row, served(row.cve_key), ofCve))
  }
}
