// The client methods for snapshots of the catalog.
import type { CallOptions } from './options.ts'
import type { ChangedRecord, Snapshot } from './records.ts'
import type { Send } from './request.ts'
import { getSnapshotPart, listSnapshots, readSnapshot } from './snapshots.ts'

/** Methods of a {@link Client} for snapshots: every record of the catalog at one position in the change log. */
export interface SnapshotMethods {
  /** Lists the kept snapshots of the catalog, newest first. Free of charge. */
  snapshots(options?: CallOptions): Promise<readonly Snapshot[]>

  /**
   * Returns the bytes of one part of a snapshot: a gzip file of lines, each the JSON of a {@link ChangedRecord}. Part
   * numbers start at 1. Costs `PRICES.getSnapshotPart` credits. Rejects if the SHA-256 of the bytes is not `sha256` or,
   * if that is not given, the one that the service sends with them.
   */
  snapshotPart(
    id: string,
    part: number,
    options?: { readonly sha256?: string | undefined } & CallOptions,
  ): Promise<Uint8Array<ArrayBuffer>>

  /**
   * Yields every record of a snapshot, ordered by CVE id. Costs `PRICES.getSnapshotPart` credits per part.
   * Checks the SHA-256 of each part, and holds one part in memory at a time. To keep a copy, store all records and
   * `snapshot.since`, then continue with {@link Client.changedRecords}. A {@link VisError} with the code `GONE` means
   * that the snapshot was deleted.
   *
   * ```ts
   * const [newest] = await client.snapshots()
   * if (newest) for await (const { cve_id, record } of client.readSnapshot(newest)) console.log(cve_id, record?.severity)
   * ```
   */
  readSnapshot(snapshot: Snapshot, options?: CallOptions): AsyncIterable<ChangedRecord>
}

export function createSnapshotMethods(send: Send): SnapshotMethods {
  return {
    snapshots: (options = {}) => listSnapshots(send, options),
    snapshotPart: (id, part, options = {}) => getSnapshotPart(send, id, part, options),
    readSnapshot: (snapshot, options = {}) => readSnapshot(send, snapshot, options),
  }
}
