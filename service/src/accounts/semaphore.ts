/** Lets at most so many run at once; the others wait in line. State: the line, in this process. */
export function createLane(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place passes on to whoever is next.
      if (next) next()
      else running -= 1
    }
  }
}
