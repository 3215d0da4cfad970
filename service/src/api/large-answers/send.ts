// Writes a large response in slices, each after the kernel has accepted the previous one. Node buffers at most one
// slice, and slices are freed once they are sent.
import type { ServerResponse } from 'node:http'
import { waitForEventLoopTurn } from '../../domain/event-loop-turns.ts'
import type { MemoryReservation } from '../admission/unsent-bytes.ts'
import type { Chunks } from './pieces.ts'
import type { DisconnectReason, ReadRateWatch } from './read-rate.ts'

const SLICE_BYTES = 64 * 1024

/** If the kernel accepts everything at once, other requests get to run after this many bytes. */
const MAX_BYTES_AT_ONCE = 128 * 1024

export interface Delivery {
  /** Released when the response has been sent or can no longer be sent. */
  readonly reservation: MemoryReservation | undefined
  readonly readRate: ReadRateWatch
  onDisconnect(reason: DisconnectReason, unsentBytes: number): void
}

/** The headers must have been written. */
export async function sendChunks(response: ServerResponse, chunks: Chunks, delivery: Delivery): Promise<void> {
  // Node destroys a connection on which nothing has been written for 20 s. A slow client can keep the kernel's buffer
  // full for longer, so only the minimum read rate applies.
  response.on('timeout', () => {})
  try {
    await writeChunks(response, chunks, delivery)
  } finally {
    delivery.reservation?.release()
  }
  if (!response.req.socket.destroyed) response.end()
}

/** Returns early if the connection is closed. */
export async function writeChunks(response: ServerResponse, chunks: Chunks, delivery: Delivery): Promise<void> {
  const { socket } = response.req
  let unsent = chunks.bytes
  const watch = delivery.readRate.watch(chunks.bytes, {
    isBeingSent: () => response.socket !== null,
    disconnect: (reason) => {
      delivery.onDisconnect(reason, unsent)
      // A reset also frees the kernel's buffer; after a normal close the kernel keeps it until the client has read it.
      socket.resetAndDestroy()
    },
  })
  try {
    await writeSlices(response, chunks, (sent) => {
      unsent -= sent
      watch.addSent(sent)
      delivery.reservation?.set(unsent)
    })
  } finally {
    watch.end()
  }
}

/** Returns early if the connection is closed. */
async function writeSlices(response: ServerResponse, { list }: Chunks, onSent: (bytes: number) => void): Promise<void> {
  const { socket } = response.req
  let sinceYield = 0
  for (let chunk = list.shift(); chunk; chunk = list.shift()) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES)
      await write(response, slice)
      if (socket.destroyed) return
      onSent(slice.length)
      sinceYield += slice.length
      if (sinceYield < MAX_BYTES_AT_ONCE) continue
      sinceYield = 0
      await waitForEventLoopTurn()
    }
  }
}

/** Node does not call back for a pipelined response whose connection closes before it is sent. */
function write(response: ServerResponse, slice: Buffer): Promise<void> {
  const { socket } = response.req
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve()
    socket.once('close', resolve)
    response.write(slice, () => {
      socket.off('close', resolve)
      resolve()
    })
  })
}
