// A button that opens a list of actions.
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClasses } from './button.tsx'

const POPUP =
  'min-w-48 max-w-[calc(100vw-1.5rem)] max-h-(--available-height) overflow-y-auto rounded-lg border border-line bg-panel p-1 shadow-lg outline-none'
const ITEM =
  'flex cursor-default items-center gap-2 rounded-md px-2.5 py-1.5 text-sm text-ink outline-none select-none data-[highlighted]:bg-accent-soft data-[highlighted]:text-accent'

interface MenuProps {
  /** Name of the button for screen readers, if its content is not a clear text. */
  readonly label?: string
  readonly trigger: ReactNode
  readonly children: ReactNode
}

export function Menu({ label, trigger, children }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger aria-label={label} className={buttonClasses()}>
        {trigger}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={6} align="end" className="z-40">
          <BaseMenu.Popup className={POPUP}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

export function MenuItem({ onSelect, children }: { readonly onSelect: () => void; readonly children: ReactNode }) {
  return (
    <BaseMenu.Item onClick={onSelect} className={ITEM}>
      {children}
    </BaseMenu.Item>
  )
}

interface MenuCheckboxProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly children: ReactNode
}

/** An entry that is on or off. The menu stays open, so that several can be chosen. */
export function MenuCheckbox({ isChecked, onChange, children }: MenuCheckboxProps) {
  return (
    <BaseMenu.CheckboxItem checked={isChecked} onCheckedChange={onChange} closeOnClick={false} className={ITEM}>
      <span className="grid size-4 shrink-0 place-items-center rounded border border-line-strong data-checked:bg-accent">
        <BaseMenu.CheckboxItemIndicator>
          <Check aria-hidden size={12} strokeWidth={3} />
        </BaseMenu.CheckboxItemIndicator>
      </span>
      {children}
    </BaseMenu.CheckboxItem>
  )
}

/** A text in a menu that is no action. */
export function MenuText({ children }: { readonly children: ReactNode }) {
  return <div className="mb-1 border-b border-line px-2.5 pt-1 pb-2 text-xs text-ink-3">{children}</div>
}
