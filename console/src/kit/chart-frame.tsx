// A chart with a table of the same values, for people who cannot see the chart or want the numbers.
import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'

interface ChartFrameProps {
  readonly title: string
  readonly note?: ReactNode
  /** One sentence for screen readers that describes the chart. */
  readonly summary: string
  /** The table with the chart's values. */
  readonly table: ReactNode
  readonly children: ReactNode
}

export function ChartFrame({ title, note, summary, table, children }: ChartFrameProps) {
  return (
    <Panel title={title} note={note}>
      <figure aria-label={summary}>
        <div aria-hidden>{children}</div>
        <details className="mt-2">
          <summary className="w-fit rounded text-xs text-ink-2 hover:text-ink">Show as a table</summary>
          <div className="mt-2 max-h-72 overflow-auto">{table}</div>
        </details>
      </figure>
    </Panel>
  )
}
