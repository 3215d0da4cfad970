/** Returns a function that runs at most `maxConcurrent` tasks at once; further tasks wait in order of arrival. */
export function createSemaphore(maxConcurrent: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    if (running < maxConcurrent) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // The next task takes over the slot of the finished task, so the number of running tasks does not change.
      if (next) next()
      else running -= 1
    }
  }
}
