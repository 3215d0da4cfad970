// A simulated world: random numbers from a seed, and a clock that jumps to the next event. The same seed gives the same
// history on every machine.
import { setImmediate as endOfTurn } from 'node:timers/promises'

export interface World {
  nowMs(): number
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number
  /** Returns a whole number from `min` to `max`. */
  between(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
  /** Calls `action` after a simulated time. */
  after(ms: number, action: () => void): void
  sleep(ms: number): Promise<void>
  /** Runs until no event is left. */
  run(): Promise<void>
}

interface Event {
  readonly atMs: number
  readonly action: () => void
}

/** More events than any history needs: beyond that, the simulated programs are stuck in a loop. */
const MAX_EVENTS = 100_000

export function createWorld(seed: number): World {
  const random = createRandom(seed)
  const events: Event[] = []
  let nowMs = 0
  const after = (ms: number, action: () => void) => {
    const event = { atMs: nowMs + ms, action }
    // Events at the same time keep their order.
    const place = events.findLastIndex(({ atMs }) => atMs <= event.atMs) + 1
    events.splice(place, 0, event)
  }
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1))
  return {
    nowMs: () => nowMs,
    random,
    between,
    pick: (choices) => {
      const choice = choices[between(0, choices.length - 1)]
      if (choice === undefined) throw new Error('The list of choices is empty.')
      return choice
    },
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    run: async () => {
      for (let count = 0; ; count += 1) {
        const event = events.shift()
        if (!event) return
        if (count > MAX_EVENTS) throw new Error(`the history has not ended after ${MAX_EVENTS} events`)
        nowMs = event.atMs
        event.action()
        // The meter sends its batches at the end of an event loop iteration. The first iteration runs what the event
        // caused; the second one runs what that scheduled.
        await endOfTurn()
        await endOfTurn()
      }
    },
  }
}

/** The generator mulberry32: 32 bits of state, which is enough for a history of a few hundred events. */
function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
