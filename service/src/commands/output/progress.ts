// Shows the progress of a long command: on a terminal one line that is rewritten, in a file or pipe a plain line every
// 5 s.
import type { Progress } from '../../feeds/engine/store-delivery.ts'
import { formatNumber } from './print.ts'

export interface ProgressLine {
  show(progress: Progress): void
  clear(): void
}

export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

const REWRITE_INTERVAL_MS = 100
const PLAIN_INTERVAL_MS = 5000
/** Width in columns that is assumed for terminals that report no width or a width of 0. */
const DEFAULT_COLUMNS = 120
const CLEAR_LINE = '\r\u001B[2K'

/** `now` returns milliseconds of a monotonic clock. */
export function createProgressLine(screen: Screen, now: () => number): ProgressLine {
  const startedAt = now()
  const line = createStatusLine(screen, now)
  let shownPhase: Progress['phase'] = 'reading'
  return {
    show: (progress) => {
      const isNewPhase = progress.phase !== shownPhase
      if (line.show(formatProgress(progress, (now() - startedAt) / 1000), isNewPhase)) shownPhase = progress.phase
    },
    clear: line.clear,
  }
}

/** `show` returns whether it wrote the text. It drops texts that follow too soon, except urgent ones on a terminal. */
export function createStatusLine(screen: Screen, now: () => number) {
  const intervalMs = screen.isTTY ? REWRITE_INTERVAL_MS : PLAIN_INTERVAL_MS
  let shownAt = screen.isTTY ? -Infinity : now()
  return {
    show: (text: string, isUrgent = false): boolean => {
      if (now() - shownAt < intervalMs && !(isUrgent && screen.isTTY)) return false
      shownAt = now()
      screen.write(
        screen.isTTY ? `${CLEAR_LINE}${text.slice(0, (screen.columns || DEFAULT_COLUMNS) - 1)}` : `${text}\n`,
      )
      return true
    },
    clear: (): void => {
      if (screen.isTTY) screen.write(CLEAR_LINE)
    },
  }
}

/** Example: `nvd  104,233 records  9,870/s  62 %  about 14 s left nvdcve-2.0-2014.json.gz` */
export function formatProgress({ feed, delivery, phase, read, bytes }: Progress, seconds: number): string {
  const share = bytes && bytes.total > 0 ? bytes.done / bytes.total : undefined
  return [
    feed,
    `${formatNumber(read)} records`,
    `${formatNumber(Math.round(read / Math.max(seconds, 0.001)))}/s`,
    ...(bytes === undefined || share === undefined ? [] : [formatShare(bytes.done, bytes.total)]),
    ...(share === undefined || phase === 'storing' ? [] : [formatTimeLeft(share, seconds)]),
    phase === 'storing' ? `storing ${delivery}` : delivery,
  ].join('  ')
}

/** Example: `62 %` */
export function formatShare(done: number, total: number): string {
  return `${Math.floor((total > 0 ? done / total : 1) * 100)} %`
}

function formatTimeLeft(share: number, seconds: number): string {
  // The remaining time is not estimated from less than 1 % of the data or 1 s, because the estimate would be far off.
  if (share < 0.01 || seconds < 1) return 'time left unknown'
  return `about ${formatDuration((seconds * (1 - share)) / share)} left`
}

export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
