// A button that opens a small window next to it. The window is a native browser popover: the browser closes it on
// Escape or a click elsewhere, returns the focus to the button, and keeps it next to the button while the page scrolls.
// Base UI's popover is not used: while it is open, it adds elements to the page that are hidden from screen readers but
// still receive the focus.
import { type ComponentProps, type MouseEvent, type ReactNode, type ToggleEvent, useId, useState } from 'react'
import { classNames } from '../../text/class-names.ts'

/** A browser without anchor positioning shows the window in the middle of the page. */
export const POPUP =
  'm-auto max-h-[min(28rem,100%)] overflow-y-auto rounded-lg border border-line bg-panel text-left text-sm font-normal whitespace-normal text-ink shadow-xl outline-none supports-[position-area:bottom]:inset-auto supports-[position-area:bottom]:m-0 supports-[position-area:bottom]:my-1.5 [position-try-fallbacks:flip-block] [position-try-order:most-height]'

const ALIGNMENTS = {
  center: '[position-area:bottom]',
  end: '[position-area:bottom_span-left]',
} as const

type ButtonProps = Omit<ComponentProps<'button'>, 'type' | 'popoverTarget'>
type WindowProps = Pick<ComponentProps<'div'>, 'role' | 'aria-label' | 'className'>

interface PopoverProps {
  readonly button: ButtonProps
  /** Attributes of the window. */
  readonly popup: WindowProps
  /** Edge of the button that the window is aligned with. */
  readonly align?: keyof typeof ALIGNMENTS
  /** Moves the focus into the window. Without it, the window itself gets the focus. */
  readonly onOpen?: (popup: HTMLElement) => void
  readonly children: ReactNode
}

export function Popover({ button, popup, align = 'center', onOpen = focus, children }: PopoverProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const render = ({ newState }: ToggleEvent) => {
    if (newState === 'open') setIsOpen(true)
  }
  // The content stays until the window is closed, because the browser returns the focus only if it is inside the
  // window.
  const finish = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    if (newState === 'open') onOpen(currentTarget)
    else setIsOpen(false)
  }
  return (
    <>
      <button type="button" popoverTarget={id} aria-expanded={isOpen} {...button} />
      <div
        {...popup}
        id={id}
        popover="auto"
        tabIndex={-1}
        onBeforeToggle={render}
        onToggle={finish}
        className={classNames(POPUP, ALIGNMENTS[align], popup.className)}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** Closes the window around the element that was clicked. */
export function closePopover({ currentTarget }: MouseEvent): void {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
}

function focus(popup: HTMLElement): void {
  popup.focus()
}
