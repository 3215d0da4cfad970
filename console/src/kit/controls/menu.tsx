// A button that opens a list of actions.
import { Check } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { buttonClasses } from './button.tsx'
import { closePopover, Popover } from './popover.tsx'

const ITEM =
  'flex w-full cursor-default items-center gap-2 rounded-md px-2.5 py-1.5 text-left text-sm text-ink -outline-offset-2 hover:bg-accent-soft hover:text-accent focus:bg-accent-soft focus:text-accent'

interface MenuProps {
  /** Look of the button. */
  readonly variant?: 'normal' | 'quiet'
  /** Name of the button and of its list for screen readers. */
  readonly label: string
  readonly trigger: ReactNode
  /** Text above the actions. */
  readonly heading?: ReactNode
  readonly children: ReactNode
}

export function Menu({ label, variant = 'normal', trigger, heading, children }: MenuProps) {
  return (
    <Popover
      align="end"
      button={{
        'aria-label': label,
        'aria-haspopup': 'menu',
        className: buttonClasses(variant),
        onKeyDown: openByArrow,
        children: trigger,
      }}
      popup={{ className: 'min-w-48 max-w-[calc(100vw-1.5rem)] p-1' }}
      onOpen={(popup) => listItems(popup)[0]?.focus()}
    >
      {heading && <div className="mb-1 border-b border-line px-2.5 pt-1 pb-2 text-xs text-ink-3">{heading}</div>}
      <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={moveFocus}>
        {children}
      </div>
    </Popover>
  )
}

interface MenuItemProps {
  readonly onSelect: () => void
  readonly children: ReactNode
}

/** An action. The menu closes before it runs. */
export function MenuItem({ onSelect, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={ITEM}
      onClick={(event) => {
        closePopover(event)
        onSelect()
      }}
    >
      {children}
    </button>
  )
}

interface MenuCheckboxProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}

/** An entry that is on or off. The menu stays open, so that several entries can be chosen. */
export function MenuCheckbox({ isChecked, onChange, children }: MenuCheckboxProps) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={isChecked}
      tabIndex={-1}
      className={ITEM}
      onClick={() => onChange(!isChecked)}
    >
      <span className="grid size-4 shrink-0 place-items-center rounded border border-line-strong">
        {isChecked && <Check aria-hidden size={12} strokeWidth={3} />}
      </span>
      {children}
    </button>
  )
}

function openByArrow(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown') return
  event.preventDefault()
  event.currentTarget.click()
}

function listItems(list: Element): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

/** The arrow keys, Home and End move between the entries. Tab closes the menu and moves on from its button. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Tab') event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  const items = listItems(event.currentTarget)
  const position = items.findIndex((item) => item.matches(':focus'))
  const next = { ArrowDown: position + 1, ArrowUp: position - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}
