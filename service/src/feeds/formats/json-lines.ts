// Reads newline-delimited JSON: one record per line.
import { FeedError, type Rejected } from '../feed.ts'
import { parseRecord } from './parse-json.ts'

export interface LineOptions {
  readonly maxLineBytes?: number
}

const NEWLINE = 0x0a
const MEBIBYTE = 1024 * 1024
/** The largest known record is 2 MiB. Hostile JSON, once parsed, takes thirty times its size in memory. */
const MAX_LINE_BYTES = 4 * MEBIBYTE

interface Line {
  readonly number: number
  readonly bytes: Buffer
  readonly isTooLong: boolean
  /** The last line of a file may lack its newline. */
  readonly isEnded: boolean
}

/** The first line has the number 1. The text of a rejection names the line. */
export type LineReading = { readonly raw: unknown; readonly line: number } | Rejected

/** Error messages do not name the file; the caller adds the name. */
export async function* readJsonLines(
  chunks: AsyncIterable<Buffer>,
  options: LineOptions = {},
): AsyncGenerator<LineReading, void, undefined> {
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES
  let hasContent = false
  for await (const line of splitLines(chunks, maxLineBytes)) {
    const first = line.bytes.find((byte) => byte > 0x20)
    if (first === undefined && !line.isTooLong) continue
    if (!hasContent && first === 0x3c)
      throw new FeedError('the file is an HTML page or XML, expected one JSON record per line')
    hasContent = true
    yield readLine(line, maxLineBytes)
  }
  if (!hasContent) throw new FeedError('the file has no lines, expected one JSON record per line')
}

function readLine({ number, bytes, isTooLong, isEnded }: Line, maxLineBytes: number): LineReading {
  const rejected = `line ${number}`
  if (isTooLong) return { rejected, reason: `longer than ${maxLineBytes} bytes` }
  const parsed = parseRecord(bytes)
  if (!('error' in parsed)) return { raw: parsed.value, line: number }
  if (!isEnded) throw new FeedError(`the file is truncated: it ends within ${rejected} (${parsed.error})`)
  return { rejected, reason: parsed.error }
}

async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line, void, undefined> {
  const line = createCollector(maxBytes)
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      line.add(chunk.subarray(from, end))
      yield line.take(true)
      from = end + 1
    }
    line.add(chunk.subarray(from))
  }
  yield line.take(false)
}

interface Collector {
  add(part: Buffer): void
  take(isEnded: boolean): Line
}

function createCollector(maxBytes: number): Collector {
  let parts: Buffer[] = []
  let size = 0
  let number = 0
  return {
    add: (part) => {
      if (size < maxBytes && part.length > 0) parts.push(part.subarray(0, maxBytes - size))
      size += part.length
    },
    take: (isEnded) => {
      const [first = Buffer.alloc(0)] = parts
      number += 1
      const line = {
        number,
        bytes: parts.length > 1 ? Buffer.concat(parts) : first,
        isTooLong: size > maxBytes,
        isEnded,
      }
      parts = []
      size = 0
      return line
    },
  }
}
