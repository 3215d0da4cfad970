// Newline-delimited JSON: a record a line.
import { FeedError, type Reading } from '../feed.ts'
import { parseRecord } from './parse-json.ts'

export interface LineOptions {
  readonly maxLineBytes?: number
}

const NEWLINE = 0x0a
const MEBIBYTE = 1024 * 1024
/** The largest known record has two; parsed, hostile JSON takes thirty times its size. */
const MAX_LINE_BYTES = 4 * MEBIBYTE

interface Line {
  readonly number: number
  /** The whole line, or its beginning when it is too long. */
  readonly bytes: Buffer
  readonly isTooLong: boolean
  /** Whether a newline was there. The last line may do without. */
  readonly isEnded: boolean
}

/** Its faults speak of "it": which file it is, the caller knows. */
export async function* jsonLines(
  chunks: AsyncIterable<Buffer>,
  options: LineOptions = {},
): AsyncGenerator<Reading<unknown>, void, undefined> {
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES
  let hasContent = false
  for await (const line of linesOf(chunks, maxLineBytes)) {
    const first = line.bytes.find((byte) => byte > 0x20)
    if (first === undefined && !line.isTooLong) continue
    if (!hasContent && first === 0x3c) throw new FeedError('it is a web page or XML; expected a JSON record a line')
    hasContent = true
    yield readLine(line, maxLineBytes)
  }
  if (!hasContent) throw new FeedError('it has no lines; expected a JSON record a line')
}

function readLine({ number, bytes, isTooLong, isEnded }: Line, maxLineBytes: number): Reading<unknown> {
  const rejected = `line ${number}`
  if (isTooLong) return { rejected, reason: `longer than ${maxLineBytes} bytes` }
  const parsed = parseRecord(bytes)
  if (!('fault' in parsed)) return { raw: parsed.value }
  if (!isEnded) throw new FeedError(`it is cut off: it ends within ${rejected} (${parsed.fault})`)
  return { rejected, reason: parsed.fault }
}

async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line, void, undefined> {
  const line = collector(maxBytes)
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

/** Holds what has come of a line so far, and no more than a line may have. */
function collector(maxBytes: number): Collector {
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
