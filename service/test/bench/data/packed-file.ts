// Writes a file piece by piece: how large it becomes does not matter to the memory.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'

const CHUNK_CHARACTERS = 256 * 1024

/** A name that ends in `.gz` is packed. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const source = Readable.from(inChunks(pieces))
  const target = createWriteStream(path)
  // Fast rather than small: these files are read once or twice, and thrown away.
  if (path.endsWith('.gz')) await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), target)
  else await pipeline(source, target)
}

function* inChunks(pieces: Iterable<string>): Generator<Buffer> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  yield Buffer.from(chunk)
}
