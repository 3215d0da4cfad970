// The bar with the actions for the chosen rows. It stays above the lower edge of the window.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Selection } from '../list/use-selection.ts'

interface BulkBarProps {
  readonly selection: Selection
  /** Undefined if the person may not change states. */
  readonly onState: (() => void) | undefined
}

export function BulkBar({ selection, onState }: BulkBarProps) {
  const count = selection.ids.size
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={`${count} chosen`}
      className="sticky bottom-4 z-20 mx-auto mt-3 flex w-fit max-w-full items-center gap-1 rounded-[10px] border border-line bg-raised py-1.5 pr-2 pl-3.5 shadow-popup max-lg:bottom-18"
    >
      <b className="font-semibold whitespace-nowrap">{count} chosen</b>
      {onState ? (
        <BarButton onClick={onState}>
          State{' '}
          <kbd aria-hidden className="rounded border border-line px-1 font-mono text-2xs text-ink-3">
            s
          </kbd>
        </BarButton>
      ) : (
        <span className="px-2 text-xs text-ink-2">Admins and owners set states.</span>
      )}
      <BarButton onClick={selection.clear}>
        <X aria-hidden size={14} />
        <span className="sr-only">Clear the choice</span>
      </BarButton>
    </div>
  )
}

function BarButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-sm hover:bg-soft"
    >
      {children}
    </button>
  )
}
