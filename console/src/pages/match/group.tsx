import { type ReactNode, useId } from 'react'
import { formatNumber } from '../../text/format.ts'

interface GroupProps {
  readonly id?: string
  readonly title: string
  readonly count: number
  readonly note: string
  readonly children: ReactNode
}

/** A part of the result: a title with the number of entries, and a table or list that extends to the border. */
export function Group({ id, title, count, note, children }: GroupProps) {
  const headingId = useId()
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      className="overflow-clip rounded-[10px] border border-line bg-panel shadow-panel"
    >
      <h2 id={headingId} className="flex flex-wrap items-baseline gap-x-2 px-3 py-3 text-base font-semibold sm:px-4">
        {title}
        <span className="text-xs font-normal text-ink-3">{`${formatNumber(count)}, ${note}`}</span>
      </h2>
      {children}
    </section>
  )
}
