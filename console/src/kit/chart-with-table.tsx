// A chart with a table of the same values next to it, for people who cannot see the chart or want the numbers.
// `ChartFrame` hides a long table behind a button instead.
import type { ReactNode } from 'react'

interface ChartWithTableProps {
  /** One sentence for screen readers that describes the chart. */
  readonly summary: string
  /** The table with the chart's values. It appears next to the chart, or below it if there is little space. */
  readonly table: ReactNode
  readonly children: ReactNode
}

export function ChartWithTable({ summary, table, children }: ChartWithTableProps) {
  return (
    <div className="@container">
      <figure aria-label={summary} className="grid items-start gap-x-6 gap-y-3 @2xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div aria-hidden className="min-w-0">
          {children}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, only a focused area can be scrolled. */}
        <section aria-label="Values of the chart" tabIndex={0} className="max-h-80 min-w-0 overflow-auto">
          {table}
        </section>
      </figure>
    </div>
  )
}
