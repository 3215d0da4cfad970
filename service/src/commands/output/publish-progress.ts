// How far a publication has come: one line that is rewritten on a terminal, a plain line now and then elsewhere.

import { number } from './print.ts'
import { lineOf, type Screen } from './progress.ts'

interface Progress {
  readonly done: number
  /** Not known yet: it grows while we count. */
  readonly total: number | undefined
}

export function publishProgress(screen: Screen) {
  const startedAt = performance.now()
  const line = lineOf(screen, () => performance.now())
  return {
    show: ({ done, total }: Progress) => {
      const rate = Math.round(done / Math.max((performance.now() - startedAt) / 1000, 0.001))
      const of = total === undefined ? '' : ` of ${number(total)}`
      line.show(`catalog  ${number(done)}${of} records  ${number(rate)}/s`)
    },
    clear: line.clear,
  }
}
