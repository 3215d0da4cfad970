// What a long command is doing: one line that is rewritten on a terminal, a plain line now and then elsewhere.
import type { Progress } from '../../feeds/engine/store-delivery.ts'
import { number } from './print.ts'

export interface ProgressLine {
  show(progress: Progress): void
  /** Clears the line, so that something else can be printed. */
  clear(): void
}

export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

const REWRITE_EVERY_MS = 100
const PLAIN_EVERY_MS = 5000
/** Some terminals do not tell, or say zero. */
const USUAL_COLUMNS = 120
const CLEAR_LINE = '\r\u001B[2K'

/** `now` in milliseconds; monotonic, since only differences matter. */
export function progressLine(screen: Screen, now: () => number): ProgressLine {
  const startedAt = now()
  const line = lineOf(screen, now)
  let shownPhase: Progress['phase'] = 'reading'
  return {
    show: (progress) => {
      const isNews = progress.phase !== shownPhase
      if (line.show(progressText(progress, (now() - startedAt) / 1000), isNews)) shownPhase = progress.phase
    },
    clear: line.clear,
  }
}

/** Shows a text if the last one has stood long enough, and says whether it did; news do not wait on a terminal. */
export function lineOf(screen: Screen, now: () => number) {
  const everyMs = screen.isTTY ? REWRITE_EVERY_MS : PLAIN_EVERY_MS
  let shownAt = screen.isTTY ? -Infinity : now()
  return {
    show: (text: string, isNews = false): boolean => {
      if (now() - shownAt < everyMs && !(isNews && screen.isTTY)) return false
      shownAt = now()
      screen.write(screen.isTTY ? `${CLEAR_LINE}${text.slice(0, (screen.columns || USUAL_COLUMNS) - 1)}` : `${text}\n`)
      return true
    },
    clear: (): void => {
      if (screen.isTTY) screen.write(CLEAR_LINE)
    },
  }
}

/** `nvd  104,233 records  9,870/s  62 %  about 14 s left  nvdcve-2.0-2014.json.gz` */
export function progressText({ feed, delivery, phase, read, bytes }: Progress, seconds: number): string {
  const share = bytes && bytes.total > 0 ? bytes.done / bytes.total : undefined
  return [
    feed,
    `${number(read)} records`,
    `${number(Math.round(read / Math.max(seconds, 0.001)))}/s`,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)} %`]),
    ...(share === undefined || phase === 'storing' ? [] : [remaining(share, seconds)]),
    phase === 'storing' ? `storing ${delivery}` : delivery,
  ].join('  ')
}

function remaining(share: number, seconds: number): string {
  // Too little has happened to tell.
  if (share < 0.01 || seconds < 1) return 'time left unknown'
  return `about ${duration((seconds * (1 - share)) / share)} left`
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
