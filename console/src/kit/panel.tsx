import { type ReactNode, useId } from 'react'
import { classNames } from '../text/class-names.ts'

interface PanelProps {
  readonly title?: ReactNode
  /** A short remark next to the title. */
  readonly note?: ReactNode
  /** Buttons to the right of the title. */
  readonly actions?: ReactNode
  /** Removes the padding, for a table that extends to the border. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

/** A section with a border. If it has a title, it is a region that screen readers can find. */
export function Panel({ title, note, actions, isFlush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={classNames(
        'min-w-0 rounded-[10px] border border-line bg-panel shadow-panel',
        !isFlush && 'px-3 py-3.5 sm:px-4',
      )}
    >
      {title && (
        <div
          className={classNames(
            'mb-2.5 flex min-h-6.5 flex-wrap items-center gap-x-2 gap-y-1',
            isFlush && 'px-3 pt-3.5 sm:px-4',
          )}
        >
          <h2 id={id} className="text-base font-semibold tracking-[-0.003em]">
            {title}
          </h2>
          {note && (
            <span
              className={classNames('text-xs text-ink-3', actions !== undefined && 'max-sm:order-last max-sm:w-full')}
            >
              {note}
            </span>
          )}
          {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
