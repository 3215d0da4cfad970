// Turns SIGTERM and SIGINT into an AbortSignal: running work completes or rolls back, and then the process ends by
// itself.
import { StoppedError } from '../feeds/feed.ts'

export interface Stop {
  readonly signal: AbortSignal
  /** `reason` completes the sentence "The run was stopped by …". */
  stop(reason: string): void
  dispose(): void
}

export function listenForStop(): Stop {
  const controller = new AbortController()
  const stop = (reason: string) =>
    controller.abort(new StoppedError(`The run was stopped by ${reason}; the next run reads the same data again.`))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return {
    signal: controller.signal,
    stop,
    dispose: () => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
    },
  }
}
