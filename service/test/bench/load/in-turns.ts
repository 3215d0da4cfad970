// How long each of two pieces of work takes, in turns. One turn more, which warms up.
export interface InTurns {
  readonly ours: readonly number[]
  readonly others: readonly number[]
}

export async function inTurns(our: () => unknown, other: () => unknown, rounds: number): Promise<InTurns> {
  const [ours, others]: [number[], number[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const [otherMs, ourMs] = [await timed(other), await timed(our)]
    if (round === 0) continue
    ours.push(ourMs)
    others.push(otherMs)
  }
  return { ours, others }
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
