// Sends a body of unknown length part by part. The next part is read only after the kernel has accepted the one before,
// so memory holds one part, and a client that does not read uses no database connection.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { ApiError } from '../../contract/response/errors.ts'
import { type Delivery, writeChunks } from './send.ts'

/** Returns undefined at the end. After an error, the same part can be read again. */
export type ReadPart = () => Promise<string | undefined>

/** Reading at the minimum rate alone, a client could hold one of its calls in flight for hours. */
const MAX_STREAM_MS = 15 * 60_000

/** A busy node refuses turns, and a part of a long stream is worth waiting for. */
const MAX_ATTEMPTS = 8

/**
 * The headers must have been written. Returns early if the connection is closed, and closes it after `maxMs` if the
 * client took more than half of the time: its credits are spent, or a client that is slow on purpose would get almost
 * everything for nothing. Throws if the service took the time.
 */
export async function sendParts(
  response: ServerResponse,
  read: ReadPart,
  { isCompressed, ...delivery }: Delivery & { readonly isCompressed: boolean },
  maxMs = MAX_STREAM_MS,
): Promise<void> {
  const { socket } = response.req
  const endsAtMs = performance.now() + maxMs
  let clientMs = 0
  const gzip = isCompressed ? createGzip() : undefined
  response.on('timeout', () => {})
  try {
    for (;;) {
      const text = await readPatiently(read, socket)
      if (socket.destroyed) return
      const bytes = gzip ? await compress(gzip, text) : Buffer.from(text ?? '')
      delivery.reservation?.set(bytes.length)
      const startedAtMs = performance.now()
      await writeChunks(response, { list: [bytes], bytes: bytes.length }, delivery)
      if (socket.destroyed) return
      if (text === undefined) break
      clientMs += performance.now() - startedAtMs
      if (performance.now() <= endsAtMs) continue
      if (clientMs <= maxMs / 2) throw new Error('the stream took too long')
      delivery.onDisconnect('deadline', 0)
      socket.resetAndDestroy()
      return
    }
  } finally {
    gzip?.destroy()
    delivery.reservation?.release()
  }
  response.end()
}

async function readPatiently(read: ReadPart, socket: { readonly destroyed: boolean }): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (socket.destroyed) return undefined
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error
      await sleep(250 * attempt)
    }
  }
}

const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'QUERY_TIMEOUT')

/** Returns all compressed bytes of the part; of the end, without one. */
function compress(gzip: Gzip, text: string | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const collect = (chunk: Buffer) => void chunks.push(chunk)
    const finish = () => {
      gzip.off('data', collect).off('error', reject)
      resolve(Buffer.concat(chunks))
    }
    gzip.on('data', collect).once('error', reject)
    if (text === undefined) gzip.once('end', finish).end()
    else gzip.write(text, () => gzip.flush(finish))
  })
}
