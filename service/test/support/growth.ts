// Measures how the processor time of a function grows with its input. Unlike a duration, the growth does not depend on
// the speed or the load of the machine.

/** Factor between the two input sizes. Linear work takes about 8 times as long, quadratic work about 64 times. */
const FACTOR = 8
/** Growth beyond which work is not linear: half-way between linear and quadratic, on a logarithmic scale. */
export const MAX_LINEAR_GROWTH = 24
const REPETITIONS = 3
/** Added to both times to hide the noise of very short measurements. */
const NOISE_MS = 2

/**
 * Returns by what factor the processor time of `work` grows when its input grows from an eighth of `size` to `size`.
 */
export function measureGrowth(size: number, work: (size: number) => unknown): number {
  const [small, large] = [measureMs(() => work(Math.ceil(size / FACTOR))), measureMs(() => work(size))]
  return (large + NOISE_MS) / (small + NOISE_MS)
}

/** Returns the shortest processor time of several runs, because garbage collection makes single runs longer. */
function measureMs(work: () => unknown): number {
  const times = Array.from({ length: REPETITIONS }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
