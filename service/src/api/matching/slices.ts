// Long computations in slices, so that the event loop serves other requests in between.
import { waitForEventLoopTurn } from '../large-answers/event-loop-turns.ts'

const SLICE_MS = 1

/** Runs a generator to its end and returns its result. Pauses when a slice has passed. */
export async function runInSlices<Item, Result>(
  steps: Generator<Item, Result>,
  onItem: (item: Item) => void = () => {},
): Promise<Result> {
  let started = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    onItem(step.value)
    if (performance.now() - started < SLICE_MS) continue
    await waitForEventLoopTurn()
    started = performance.now()
  }
}
