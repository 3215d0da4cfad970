// Decides whether a new full copy costs less than reading the records that changed.
import type { Client, Snapshot } from 'vis-sdk'
import { listChangedRecordsParameters, PRICES } from 'vis-sdk/vocabulary'

/**
 * Returns the newest snapshot if loading it costs less than reading the changed records up to it. What changed after it
 * costs the same either way. The service may count only a part of the changes; then even that part costs more.
 */
export async function findCheaperSnapshot(
  client: Client,
  position: string,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const [newest] = await client.snapshots({ signal })
  if (newest === undefined || toSeq(newest.next_since) <= toSeq(position)) return undefined
  const { cves_total } = await client.changeSummary(position, { until: newest.next_since, signal })
  const pages = Math.ceil(cves_total / listChangedRecordsParameters.limit.maximum)
  return newest.parts * PRICES.getSnapshotPart < pages * PRICES.listChangedRecords ? newest : undefined
}

/** The number at the start of a position. */
export const toSeq = (position: string) => Number(position.split(':')[0])
