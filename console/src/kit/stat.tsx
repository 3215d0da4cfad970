import type { ReactNode } from 'react'

interface StatProps {
  readonly label: string
  readonly value: ReactNode
  /** A short remark below the value. */
  readonly note?: ReactNode
}

/** One figure in a row of figures. The parent is a `<dl>`. */
export function Stat({ label, value, note }: StatProps) {
  return (
    <div className="min-w-0 rounded-[10px] border border-line bg-panel px-4 py-3 shadow-panel">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="mt-0.5 text-xl font-semibold tracking-tight whitespace-nowrap sm:text-2xl">{value}</dd>
      {note && <dd className="mt-0.5 text-xs text-ink-2">{note}</dd>}
    </div>
  )
}
