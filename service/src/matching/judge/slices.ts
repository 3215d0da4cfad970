// Runs long computations in slices, so that the thread can serve other calls and notice when a call is aborted.
import { waitForEventLoopTurn } from '../../domain/event-loop-turns.ts'

const SLICE_MS = 5

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
