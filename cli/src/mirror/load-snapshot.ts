// Starts a copy: loads the newest snapshot part by part. A part that has been loaded is neither downloaded nor paid for
// again.
import { gunzipSync } from 'node:zlib'
import { type Client, isVisError, type Snapshot } from 'vis-sdk'
import { getErrorMessage } from '../command.ts'
import { MirrorError } from './error.ts'
import type { Report } from './report.ts'
import type { SnapshotLine, Store } from './store.ts'

/** A part is about 4 MiB; uncompressed, it is about five times as large. */
const MAX_PART_BYTES = 512 * 1024 * 1024
const ADVICE = 'Run the same command again. If it fails again, tell the operators of the service.'

/** Loads a snapshot into the store and replaces the copy with its records. */
export async function loadSnapshot(
  client: Client,
  store: Store,
  snapshot: Snapshot,
  { report, signal }: { readonly report: Report; readonly signal: AbortSignal },
): Promise<void> {
  store.beginSnapshot(snapshot)
  const { loadedParts } = store.readState()
  report.snapshotBegins(snapshot, snapshot.parts - loadedParts)
  for (let part = loadedParts + 1; part <= snapshot.parts; part += 1) {
    const bytes = await downloadPart(client, snapshot, part, signal)
    store.loadPart(part, readLines(bytes, snapshot, part))
    report.partLoaded(part, snapshot.parts)
  }
  const records = store.finishSnapshot()
  if (records !== snapshot.records_total) {
    store.forgetSnapshot()
    throw new MirrorError(
      `The snapshot ${snapshot.id} has ${records} records instead of ${snapshot.records_total}.`,
      ADVICE,
    )
  }
}

/** Downloads a part a second time if its SHA-256 differs from the one in the list of snapshots. */
async function downloadPart(client: Client, { id, sha256 }: Snapshot, part: number, signal: AbortSignal) {
  const download = () => client.snapshotPart(id, part, { sha256: sha256[part - 1], signal })
  try {
    return await download().catch((error) => {
      if (!isVisError(error, 'INVALID_RESPONSE')) throw error
      return download()
    })
  } catch (error) {
    if (!isVisError(error, 'INVALID_RESPONSE') || error.status !== 200) throw error
    throw new MirrorError(`${error.message}.`, ADVICE)
  }
}

function readLines(bytes: Uint8Array, { id }: Snapshot, part: number): readonly SnapshotLine[] {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MAX_PART_BYTES }).toString()
    return text.split('\n').flatMap((line) => (line === '' ? [] : [parseLine(line)]))
  } catch (error) {
    throw new MirrorError(`Part ${part} of the snapshot ${id} cannot be read: ${getErrorMessage(error)}.`, ADVICE)
  }
}

function parseLine(text: string): SnapshotLine {
  const line: unknown = JSON.parse(text)
  if (!isLine(line)) throw new Error('a line is no record')
  return line
}

function isLine(value: unknown): value is SnapshotLine {
  if (typeof value !== 'object' || value === null || !('cve_id' in value) || !('record' in value)) return false
  return typeof value.cve_id === 'string' && typeof value.record === 'object' && value.record !== null
}
