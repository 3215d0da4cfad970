// Turns SIGTERM and SIGINT into an AbortSignal: running work completes or rolls back, and then the process ends by
// itself.
import { StoppedError } from '../feeds/feed.ts'

export interface Stop {
  readonly signal: AbortSignal
  /** Restores the default behaviour of SIGTERM and SIGINT. */
  dispose(): void
}

export function listenForStop(): Stop {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) =>
    controller.abort(new StoppedError(`The run was stopped by ${name}; the next run reads the same data again.`))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return {
    signal: controller.signal,
    dispose: () => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
    },
  }
}
