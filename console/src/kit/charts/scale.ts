// Axis ends and ticks for counts.

const STEPS = [1, 2, 5] as const

interface CountAxis {
  readonly end: number
  /** From 0 to the end. */
  readonly ticks: readonly number[]
}

const MAX_TICKS = 4

/** Returns an axis of whole numbers that ends at a round number, with at most four ticks above 0. */
export function toCountAxis(largest: number): CountAxis {
  for (let power = 1; ; power *= 10) {
    for (const base of STEPS) {
      const step = base * power
      const count = Math.max(1, Math.ceil(largest / step))
      if (count <= MAX_TICKS) return { end: count * step, ticks: listTicks(count, step) }
    }
  }
}

const listTicks = (count: number, step: number) => Array.from({ length: count + 1 }, (_, index) => index * step)
