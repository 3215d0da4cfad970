// Measures the duration of two functions in alternation. The first round is a warm-up and is not counted.
export interface AlternatingTimes {
  readonly ours: readonly number[]
  readonly others: readonly number[]
}

export async function measureAlternately(
  our: () => unknown,
  other: () => unknown,
  rounds: number,
): Promise<AlternatingTimes> {
  const [ours, others]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const [otherMs, ourMs] = [await measureMs(other), await measureMs(our)]
    if (round === 0) continue
    ours.push(ourMs)
    others.push(otherMs)
  }
  return { ours, others }
}

async function measureMs(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
