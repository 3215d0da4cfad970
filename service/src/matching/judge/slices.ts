// Long computations in slices, so that the thread notices between them that the call was given up, and serves other calls.
import { waitForEventLoopTurn } from '../../domain/event-loop-turns.ts'

const SLICE_MS = 5

/** Runs a generator to its end and returns its result. Pauses when a slice has passed; throws if the signal has aborted. */
export async function runInSlices<Item, Result>(
  steps: Generator<Item, Result>,
  signal: AbortSignal,
  onItem: (item: Item) => void = () => {},
): Promise<Result> {
  let started = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    onItem(step.value)
    if (performance.now() - started < SLICE_MS) continue
    await waitForEventLoopTurn()
    signal.throwIfAborted()
    started = performance.now()
  }
}
