// Writes log lines to a file descriptor. The log never delays the service: a write blocks neither the event loop nor
// the end of the process, and lines that a full or slow destination does not accept are dropped and counted.
//
// Only this process uses the buffer. A killed process loses the lines of the last 100 ms or so, or the whole buffer if
// its destination is full. Other nodes have logs of their own.
import { fstatSync, write, writeSync } from 'node:fs'
import { Socket } from 'node:net'

export interface LogSink {
  write(line: string): void
  readonly droppedLines: number
}

let standardOutput: LogSink | undefined

/** Returns the sink for standard output. A process has one, so that all its logs share one buffer. */
export function openStandardOutput(): LogSink {
  standardOutput ??= createLogSink(1)
  return standardOutput
}

export function countDroppedLogLines(): number {
  return standardOutput?.droppedLines ?? 0
}

/**
 * Size of the buffer at which a write starts at once. Each write wakes a thread of Node's thread pool, which costs more
 * than formatting the lines of a small write. The size is half the capacity of a pipe, so that a whole write usually
 * fits.
 */
const WRITE_AT_BYTES = 32 * 1024
const WRITE_INTERVAL_MS = 100
/** Pause after a failed write: the disk is full, or the reader of a pipe is slow. */
const RETRY_INTERVAL_MS = 20
const MAX_BUFFERED_BYTES = 1024 * 1024
/** Maximum time by which writing the buffered lines may delay the end of the process. */
const EXIT_FLUSH_MS = 500

export function createLogSink(fd: number, maxBufferedBytes = MAX_BUFFERED_BYTES): LogSink {
  makeNonBlocking(fd)
  const buffer = createLineBuffer(maxBufferedBytes)
  let [isWriting, isFailing, timer]: [boolean, boolean, NodeJS.Timeout | undefined] = [false, false, undefined]
  const writeLater = (ms: number) => {
    timer ??= setTimeout(startWrite, ms).unref()
  }
  const startWrite = () => {
    clearTimeout(timer)
    timer = undefined
    isWriting = true
    write(fd, buffer.takeChunk(), (error, writtenBytes) => {
      ;[isWriting, isFailing] = [false, error !== null]
      if (error) return writeLater(RETRY_INTERVAL_MS)
      buffer.remove(writtenBytes)
      if (buffer.size >= WRITE_AT_BYTES) startWrite()
      else if (buffer.size > 0) writeLater(WRITE_INTERVAL_MS)
    })
  }
  process.on('exit', () => {
    // A write of the first chunk is still running and its outcome is unknown. The chunk is not written again, so that no
    // line appears twice; lines may be lost.
    if (isWriting) buffer.remove(buffer.takeChunk().length)
    writeUntil(performance.now() + EXIT_FLUSH_MS, fd, buffer)
  })
  return {
    get droppedLines() {
      return buffer.droppedLines
    },
    write: (line) => {
      buffer.add(line)
      if (isWriting) return
      if (isFailing || buffer.size < WRITE_AT_BYTES) writeLater(WRITE_INTERVAL_MS)
      else startWrite()
    },
  }
}

/**
 * Makes writes to a pipe or a socket fail with EAGAIN while the reader is slow. Otherwise such a write would wait in a
 * thread of Node's thread pool, and a process cannot end before its threads have ended. Files cannot be made
 * non-blocking; a full disk fails a write at once.
 */
function makeNonBlocking(fd: number): void {
  try {
    const status = fstatSync(fd)
    // Node makes a descriptor non-blocking when it opens a Socket on it. The Socket itself is not used.
    if (status.isFIFO() || status.isSocket()) new Socket({ fd, readable: false, writable: true }).unref()
  } catch {
    // The descriptor is closed or of an unknown type. Writes then fail, and their lines are counted as dropped.
  }
}

interface LineBuffer {
  /**
   * Length of the buffered lines in characters. Log lines are nearly always ASCII, so it is close to the number of
   * bytes.
   */
  readonly size: number
  readonly droppedLines: number
  add(line: string): void
  /** Returns the bytes to write next. They stay in the buffer until `remove` is called. */
  takeChunk(): Buffer
  remove(bytes: number): void
}

/**
 * Buffers lines up to a maximum size. After the first dropped line, all lines are dropped until half of the buffer has
 * been written; a notice with their number then marks the gap in the log.
 */
function createLineBuffer(maxBytes: number): LineBuffer {
  let [text, chunk]: [string, Buffer] = ['', Buffer.alloc(0)]
  let [droppedLines, unreportedLines] = [0, 0]
  return {
    get size() {
      return text.length + chunk.length
    },
    get droppedLines() {
      return droppedLines
    },
    add: (line) => {
      if (unreportedLines === 0 && text.length + chunk.length + line.length <= maxBytes) {
        text += line
      } else {
        droppedLines += 1
        unreportedLines += 1
      }
    },
    takeChunk: () => {
      if (chunk.length === 0) [chunk, text] = [Buffer.from(text), '']
      return chunk
    },
    remove: (bytes) => {
      chunk = chunk.subarray(bytes)
      if (unreportedLines === 0 || text.length + chunk.length > maxBytes / 2) return
      text += formatNotice(unreportedLines)
      unreportedLines = 0
    },
  }
}

function formatNotice(droppedLines: number): string {
  const msg = 'log lines were dropped here, because the destination of the log was full or slow'
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), droppedLines, msg })}\n`
}

function writeUntil(deadlineMs: number, fd: number, buffer: LineBuffer): void {
  while (buffer.size > 0) {
    try {
      buffer.remove(writeSync(fd, buffer.takeChunk()))
    } catch (error) {
      if (!isReaderSlow(error) || performance.now() > deadlineMs) return
      pause(RETRY_INTERVAL_MS)
    }
  }
}

function isReaderSlow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

/** Blocks the thread. Only used when the process ends and timers no longer run. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
