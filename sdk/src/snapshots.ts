// The calls for snapshots of the catalog.
import { VisError } from './errors.ts'
import type { components } from './generated/openapi.ts'
import type { CallOptions } from './options.ts'
import type { ChangedRecord, Snapshot } from './records.ts'
import type { Send } from './request.ts'

const PATH = 'api/v1/snapshots'

export async function listSnapshots(send: Send, { signal }: CallOptions): Promise<readonly Snapshot[]> {
  const { data } = await send<components['schemas']['SnapshotList']>({ method: 'GET', path: PATH, signal })
  return data.snapshots
}

export async function getSnapshotPart(
  send: Send,
  id: string,
  part: number,
  { sha256, signal }: { readonly sha256?: string | undefined } & CallOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const path = `${PATH}/${encodeURIComponent(id)}/parts/${part}`
  const { data, headers } = await send<Uint8Array<ArrayBuffer>>({ method: 'GET', path, signal, isFile: true })
  // The ETag of a part is its SHA-256 in quotation marks.
  const expected = sha256 ?? headers.get('ETag')?.slice(1, -1)
  if ((await computeSha256(data)) !== expected)
    throw new VisError({
      code: 'INVALID_RESPONSE',
      status: 200,
      message: `part ${part} of the snapshot ${id} does not have the SHA-256 ${expected}: fetch it again`,
    })
  return data
}

export async function* readSnapshot(
  send: Send,
  { id, sha256 }: Snapshot,
  { signal }: CallOptions,
): AsyncGenerator<ChangedRecord> {
  for (const [index, expected] of sha256.entries()) {
    const bytes = await getSnapshotPart(send, id, index + 1, { sha256: expected, ...(signal && { signal }) })
    // The cast is safe: each line of a snapshot has the form of an item in the answer with changed records.
    for await (const line of readLines(bytes)) yield JSON.parse(line) as ChangedRecord
  }
}

/** Decompresses the lines of a part as a stream, because a part is about 50 MB of text. */
async function* readLines(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (done) return
    }
  } finally {
    // The caller may have left its loop early.
    await reader.cancel()
  }
}

async function computeSha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Browsers provide crypto.subtle only on secure pages.
  if (!globalThis.crypto?.subtle)
    throw new TypeError('snapshots need crypto.subtle, which browsers have only on pages of https or localhost')
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
