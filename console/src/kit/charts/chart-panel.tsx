// A panel with a chart and, in its place, a table of the same values.
import { type ReactNode, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { Panel } from '../panel.tsx'

interface LegendEntry {
  readonly label: string
  /** Classes of the small square. */
  readonly className: string
}

interface ChartPanelProps {
  readonly title: string
  readonly note?: ReactNode
  readonly legend?: readonly LegendEntry[]
  readonly table: ReactNode
  readonly children: ReactNode
}

export function ChartPanel({ title, note, legend = [], table, children }: ChartPanelProps) {
  const [showsTable, setShowsTable] = useState(false)
  return (
    <Panel
      title={title}
      note={note}
      actions={
        <>
          {!showsTable && legend.map((entry) => <LegendItem key={entry.label} {...entry} />)}
          <Button
            variant="quiet"
            aria-label={`${showsTable ? 'Chart' : 'Table'}: ${title}`}
            onClick={() => setShowsTable(!showsTable)}
            className="-mr-2 h-6.5 px-2 text-xs max-sm:h-8"
          >
            {showsTable ? 'Chart' : 'Table'}
          </Button>
        </>
      }
    >
      {showsTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, only a focused area can be scrolled.
        <section aria-label={`Values: ${title}`} tabIndex={0} className="h-52 overflow-y-auto">
          {table}
        </section>
      ) : (
        children
      )}
    </Panel>
  )
}

function LegendItem({ label, className }: LegendEntry) {
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-ink-2">
      <span aria-hidden className={`size-2.5 rounded-xs ${className}`} />
      {label}
    </span>
  )
}
