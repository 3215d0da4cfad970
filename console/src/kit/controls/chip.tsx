// A small framed label: a value, its source, or a filter that can be removed.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../text/class-names.ts'

const FRAME = 'inline-flex items-center text-xs'

export function Chip({ children }: { readonly children: ReactNode }) {
  return (
    <span className={classNames(FRAME, 'rounded-lg border border-line px-1.5 leading-[1.125rem] text-ink-2')}>
      {children}
    </span>
  )
}

interface FilterChipProps {
  readonly label: string
  readonly onRemove: () => void
}

/** An active filter. The whole chip is a button that removes the filter. */
export function FilterChip({ label, onRemove }: FilterChipProps) {
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={`Remove filter ${label}`}
      className={classNames(
        FRAME,
        'max-w-full gap-1 rounded-full bg-accent-soft py-0.5 pr-1.5 pl-2.5 whitespace-nowrap text-accent hover:underline',
      )}
    >
      <span title={label} className="truncate">
        {label}
      </span>
      <X aria-hidden size={13} className="shrink-0" />
    </button>
  )
}
