// Measures the duration of several functions in alternation. The first round is a warm-up and is not counted.
export type AlternatingTimes<Name extends string> = Readonly<Record<Name, readonly number[]>>

/** Returns the durations of each function in milliseconds, one per round. */
export async function measureAlternately<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  rounds: number,
): Promise<AlternatingTimes<Name>> {
  const names = Object.keys(works) as Name[]
  const times = {} as Record<Name, number[]>
  for (const name of names) times[name] = []
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const ms = await measureMs(works[name])
      if (round > 0) times[name].push(ms)
    }
  }
  return times
}

async function measureMs(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
