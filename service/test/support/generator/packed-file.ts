// Writes a file piece by piece, so that memory use does not depend on the file size.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'

const CHUNK_CHARACTERS = 256 * 1024

/** Writes the pieces to a file. The file is compressed if its name ends with `.gz`. */
export async function writePieces(path: string, pieces: Iterable<string>): Promise<void> {
  const source = Readable.from(joinToChunks(pieces))
  const target = createWriteStream(path)
  // Fast compression, because generated upstream files are read only once or twice.
  if (path.endsWith('.gz')) await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), target)
  else await pipeline(source, target)
}

function* joinToChunks(pieces: Iterable<string>): Generator<Buffer> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  yield Buffer.from(chunk)
}
