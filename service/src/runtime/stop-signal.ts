// SIGTERM and SIGINT as an AbortSignal: whoever works finishes or undoes what it is at, and the process ends by itself.

import { StoppedError } from '../feeds/feed.ts'

export interface Stop {
  readonly signal: AbortSignal
  /** From now on the signals do what they always did. */
  forget(): void
}

export function stopSignal(): Stop {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) =>
    controller.abort(new StoppedError(`It was stopped by ${name}; what was being read will be read again.`))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return {
    signal: controller.signal,
    forget: () => {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
    },
  }
}
