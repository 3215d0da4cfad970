// Disconnects clients that read a large response too slowly (threat T-10): their rate, averaged over a window, is below
// the minimum, or they take longer in total than they would at the minimum rate.
//
// Node sees only what the kernel's socket buffer has accepted. The buffer can hold 4 MiB, and Linux asks for more only
// after a third of it is free. A client that reads 32 KB a second over a fast network therefore appears to read 1.4 MB
// every 45 s, so the window must be longer than that.

interface ReadRule {
  readonly minBytesPerSecond: number
  readonly windowMs: number
}

export type DisconnectReason = 'rate' | 'deadline'

interface WatchedReader {
  readonly bytes: number
  /** Undefined until earlier responses on the connection have been sent. */
  deadlineAtMs: number | undefined
  /** Bytes that the kernel has accepted. */
  sent: number
  /** Earlier values of `sent`, oldest first, one for each check within the window. */
  readonly samples: { readonly atMs: number; readonly sent: number }[]
  /** Returns false while earlier responses on the connection are being sent. */
  isBeingSent(): boolean
  disconnect(reason: DisconnectReason): void
}

export interface ReadRateWatch {
  watch(bytes: number, reader: Pick<WatchedReader, 'isBeingSent' | 'disconnect'>): ReadWatch
  disconnects(): Readonly<Record<DisconnectReason, number>>
}

interface ReadWatch {
  addSent(bytes: number): void
  end(): void
}

const CHECKS_PER_WINDOW = 20
const MAX_CHECK_INTERVAL_MS = 1000

export function createReadRateWatch(rule: ReadRule, nowMs: () => number = () => performance.now()): ReadRateWatch {
  const readers = new Set<WatchedReader>()
  const disconnects = { rate: 0, deadline: 0 }
  const intervalMs = Math.min(MAX_CHECK_INTERVAL_MS, rule.windowMs / CHECKS_PER_WINDOW)
  let timer: NodeJS.Timeout | undefined
  let checkedAtMs = 0

  const check = () => {
    const now = nowMs()
    const lateMs = now - checkedAtMs - intervalMs
    checkedAtMs = now
    for (const reader of readers) {
      // If the whole process paused, clients could not read, so the measurement starts again.
      if (lateMs > intervalMs) restart(reader, lateMs)
      const reason = findDisconnectReason(reader, now, rule)
      if (reason === undefined) continue
      disconnects[reason] += 1
      end(reader)
      reader.disconnect(reason)
    }
  }

  const end = (reader: WatchedReader) => {
    if (!readers.delete(reader) || readers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch: (bytes, { isBeingSent, disconnect }) => {
      const reader: WatchedReader = { bytes, deadlineAtMs: undefined, sent: 0, samples: [], isBeingSent, disconnect }
      readers.add(reader)
      if (timer === undefined) {
        checkedAtMs = nowMs()
        timer = setInterval(check, intervalMs).unref()
      }
      return {
        addSent: (sent) => {
          reader.sent += sent
        },
        end: () => end(reader),
      }
    },
    disconnects: () => ({ ...disconnects }),
  }
}

/** Also records a sample for the reader. */
function findDisconnectReason(reader: WatchedReader, nowMs: number, rule: ReadRule): DisconnectReason | undefined {
  if (!reader.isBeingSent()) return undefined
  reader.deadlineAtMs ??= nowMs + rule.windowMs + (reader.bytes / rule.minBytesPerSecond) * 1000
  if (nowMs > reader.deadlineAtMs) return 'deadline'
  const { samples, sent } = reader
  // The oldest sample is needed until the second one is as old as the window.
  while (samples[1] && nowMs - samples[1].atMs >= rule.windowMs) samples.shift()
  const [oldest] = samples
  samples.push({ atMs: nowMs, sent })
  if (!oldest || nowMs - oldest.atMs < rule.windowMs) return undefined
  const minBytes = (rule.minBytesPerSecond * (nowMs - oldest.atMs)) / 1000
  return sent - oldest.sent < minBytes ? 'rate' : undefined
}

function restart(reader: WatchedReader, pausedMs: number): void {
  reader.samples.length = 0
  if (reader.deadlineAtMs !== undefined) reader.deadlineAtMs += pausedMs
}
