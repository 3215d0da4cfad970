// How long an upstream may keep us waiting.
import { passing, type Trouble } from './download-error.ts'

export interface Patience {
  /** From the look-up of the name to the end of the TLS handshake. */
  readonly connectMs: number
  /** For the answer to begin, and then from one piece of it to the next. */
  readonly idleMs: number
  /** For all attempts and the pauses between them. */
  readonly wholeMs: number
  readonly slowestBytesPerSecond: number
  /** Over which the speed is averaged. */
  readonly speedWindowMs: number
}

export const USUAL_PATIENCE: Patience = {
  connectMs: 10_000,
  idleMs: 30_000,
  wholeMs: 15 * 60_000,
  slowestBytesPerSecond: 1024,
  speedWindowMs: 30_000,
}

export interface Watch {
  connected(): void
  answered(): void
  received(bytes: number): void
  end(): void
}

/** Watches one request from its beginning, and gives up once. */
export function watchRequest(patience: Patience, giveUp: (trouble: Trouble) => void): Watch {
  const { connectMs, idleMs, slowestBytesPerSecond, speedWindowMs } = patience
  const after = (ms: number, words: string) => setTimeout(() => giveUp(passing(words)), ms)
  let waiting = after(connectMs, `no connection came about within ${duration(connectMs)}`)
  let speed: NodeJS.Timeout | undefined
  let recentBytes = 0

  const waitForBytes = (words: string) => {
    clearTimeout(waiting)
    waiting = after(idleMs, words)
  }
  const judgeSpeed = () => {
    if (recentBytes * 1000 < slowestBytesPerSecond * speedWindowMs)
      giveUp(
        passing(
          `the server sent only ${recentBytes} bytes in ${duration(speedWindowMs)}, expected at least ${slowestBytesPerSecond} a second`,
        ),
      )
    recentBytes = 0
  }
  return {
    connected: () => waitForBytes(`the server did not begin to answer within ${duration(idleMs)}`),
    answered: () => {
      waitForBytes(`the server went silent for ${duration(idleMs)} in the middle of its answer`)
      speed = setInterval(judgeSpeed, speedWindowMs)
    },
    received: (bytes) => {
      waiting.refresh()
      recentBytes += bytes
    },
    end: () => {
      clearTimeout(waiting)
      clearInterval(speed)
    },
  }
}

export function duration(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`
}
