// A modal window that keeps the focus until it is closed.
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { classNames } from '../../text/class-names.ts'
import { buttonClasses } from './button.tsx'

const SIDES = {
  center:
    'top-1/2 left-1/2 max-h-[85dvh] w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 rounded-xl border',
  left: 'inset-y-0 left-0 w-[min(18rem,85vw)] border-r',
  right: 'inset-y-0 right-0 w-[min(20rem,90vw)] border-l',
} as const

interface DialogProps {
  readonly title: string
  /** The button that opens the dialog. */
  readonly trigger?: ReactElement
  readonly side?: keyof typeof SIDES
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** Whether the first form field gets the focus instead of the close button. */
  readonly startsInField?: boolean
  readonly children: ReactNode
}

export function Dialog(props: DialogProps) {
  const { title, trigger, side = 'center', isOpen, onOpenChange, startsInField = false, children } = props
  const popupRef = useRef<HTMLDivElement>(null)
  const state = isOpen === undefined ? {} : { open: isOpen }
  return (
    <BaseDialog.Root {...state} onOpenChange={(open) => onOpenChange?.(open)}>
      {trigger && <BaseDialog.Trigger render={trigger} />}
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-30 bg-black/40" />
        <BaseDialog.Popup
          ref={popupRef}
          initialFocus={() =>
            startsInField ? (popupRef.current?.querySelector<HTMLElement>('input:enabled, select') ?? true) : true
          }
          className={classNames(
            'fixed z-40 scroll-pt-14 scroll-pb-16 overflow-y-auto border-line bg-panel p-4 shadow-xl outline-none',
            SIDES[side],
          )}
        >
          {/* The title and the close button stay visible while long content scrolls. */}
          <div className="sticky -top-4 z-10 -mx-4 -mt-4 mb-1 flex items-center justify-between gap-3 bg-panel px-4 py-3">
            <BaseDialog.Title className="font-semibold">{title}</BaseDialog.Title>
            <BaseDialog.Close aria-label="Close" className={buttonClasses('quiet')}>
              <X aria-hidden size={16} />
            </BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
