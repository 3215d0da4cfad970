import { formatNumber } from './print.ts'
import { createStatusLine, type Screen } from './progress.ts'

interface PublishProgress {
  readonly done: number
  /** Undefined while the records are still being counted. */
  readonly total: number | undefined
}

export function createPublishProgress(screen: Screen) {
  const startedAt = performance.now()
  const line = createStatusLine(screen, () => performance.now())
  return {
    show: ({ done, total }: PublishProgress) => {
      const rate = Math.round(done / Math.max((performance.now() - startedAt) / 1000, 0.001))
      const ofTotal = total === undefined ? '' : ` of ${formatNumber(total)}`
      line.show(`catalog  ${formatNumber(done)}${ofTotal} records  ${formatNumber(rate)}/s`)
    },
    clear: line.clear,
  }
}
