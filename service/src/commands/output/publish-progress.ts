import { formatNumber } from './print.ts'
import { createStatusLine, type Screen } from './progress.ts'

interface PublishProgress {
  /** What is counted; by default, CVEs that are published or compared. */
  readonly phase?: keyof typeof PHASES
  readonly done: number
  /** Undefined while the records are still being counted. */
  readonly total: number | undefined
}

const PHASES = { names: 'product names', snapshot: 'snapshot', catalog: 'catalog' } as const

export function createPublishProgress(screen: Screen) {
  const startedAt = performance.now()
  const line = createStatusLine(screen, () => performance.now())
  return {
    show: ({ phase = 'catalog', done, total }: PublishProgress) => {
      const rate = Math.round(done / Math.max((performance.now() - startedAt) / 1000, 0.001))
      const ofTotal = total === undefined ? '' : ` of ${formatNumber(total)}`
      line.show(`${PHASES[phase]}  ${formatNumber(done)}${ofTotal} records  ${formatNumber(rate)}/s`)
    },
    clear: line.clear,
  }
}
