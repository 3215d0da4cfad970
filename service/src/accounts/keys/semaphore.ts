// Limits how many tasks run at once and how many wait. State is in the memory of one process: other nodes have their
// own, and it is gone when the process ends.

/** Thrown instead of running a task, because too many tasks wait or the task has waited for too long. */
export class SemaphoreFullError extends Error {
  /** Plural name of the tasks. */
  readonly tasks: string

  constructor(tasks: string, message: string) {
    super(message)
    this.name = 'SemaphoreFullError'
    this.tasks = tasks
  }
}

interface SemaphoreLimits {
  /** Plural name of the tasks, for error messages. */
  readonly tasks: string
  readonly maxConcurrent: number
  readonly maxWaiting: number
  /** A task that has waited longer is refused when the next slot becomes free. */
  readonly maxWaitMs: number
}

interface Waiting {
  readonly sinceMs: number
  start(): void
  refuse(error: SemaphoreFullError): void
}

/** Returns a function that runs at most `maxConcurrent` tasks at once; further tasks wait in order of arrival. */
export function createSemaphore(
  { tasks, maxConcurrent, maxWaiting, maxWaitMs }: SemaphoreLimits,
  nowMs: () => number,
): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: Waiting[] = []
  let running = 0

  const acquire = (): Promise<void> | undefined => {
    if (running < maxConcurrent) {
      running += 1
      return undefined
    }
    if (waiting.length >= maxWaiting) throw new SemaphoreFullError(tasks, `${waiting.length} tasks are already waiting`)
    return new Promise((resolve, reject) => waiting.push({ sinceMs: nowMs(), start: resolve, refuse: reject }))
  }

  const release = () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // The next task takes over the slot of the finished task, so the number of running tasks does not change.
      if (nowMs() - next.sinceMs <= maxWaitMs) return next.start()
      next.refuse(new SemaphoreFullError(tasks, `the task has waited longer than ${maxWaitMs} ms`))
    }
    running -= 1
  }

  return async (task) => {
    await acquire()
    try {
      return await task()
    } finally {
      release()
    }
  }
}
