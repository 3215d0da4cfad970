// A text field with suggestions below it (an ARIA combobox with a listbox). The arrow keys move through the suggestions
// while the focus stays in the field.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { classNames } from '../../text/class-names.ts'
import { POPUP } from './popover.tsx'

interface ComboboxProps<Item> {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly items: readonly Item[]
  /** Text shown instead of suggestions or below them: that there are none, or that they could not be loaded. */
  readonly message?: ReactNode
  readonly getKey: (item: Item) => string
  readonly onChoose: (item: Item) => void
  /** Called when Enter is pressed while no suggestion is highlighted. */
  readonly onEnter: (text: string) => void
  readonly children: (item: Item) => ReactNode
}

export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { label, text, onText, items, message, onChoose } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(0)
  const inputRef = useRef<HTMLInputElement>(null)
  const popupRef = useRef<HTMLDivElement>(null)
  const isShown = isOpen && (items.length > 0 || Boolean(message))
  const position = Math.min(marked, items.length - 1)
  usePopup(popupRef, inputRef, isShown)
  const choose = (item: Item) => {
    setIsOpen(false)
    onChoose(item)
  }
  return (
    <>
      <input
        ref={inputRef}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && position >= 0 ? `${id}-${position}` : undefined}
        placeholder={label}
        value={text}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setIsOpen(true)
          setMarked(0)
          onText(event.target.value)
        }}
        onBlur={() => setIsOpen(false)}
        onKeyDown={(event) => handleKey(event, { ...props, isShown, position, setMarked, setIsOpen, choose })}
        className="h-7 w-full rounded-md border border-line-strong bg-canvas px-2 text-xs text-ink placeholder:text-ink-3"
      />
      <div
        ref={popupRef}
        popover="manual"
        className={classNames(POPUP, 'w-72 max-w-[calc(100vw-1.5rem)] p-1 [position-area:bottom_span-right]')}
      >
        <Suggestions {...props} id={id} position={position} choose={choose} />
        <div role="status" className="px-2 text-xs text-ink-2 not-empty:py-1">
          {isShown && message}
        </div>
      </div>
    </>
  )
}

interface SuggestionsProps<Item> extends Pick<ComboboxProps<Item>, 'label' | 'items' | 'getKey' | 'children'> {
  readonly id: string
  /** Index of the highlighted suggestion. */
  readonly position: number
  readonly choose: (item: Item) => void
}

function Suggestions<Item>({ label, items, getKey, children, id, position, choose }: SuggestionsProps<Item>) {
  return (
    // The field keeps the focus while a suggestion is clicked.
    <div id={`${id}-list`} role="listbox" aria-label={label} onMouseDown={(event) => event.preventDefault()}>
      {items.map((item, index) => (
        <div
          key={getKey(item)}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === position}
          onClick={() => choose(item)}
          onKeyDown={undefined}
          className="flex cursor-pointer items-baseline gap-2 rounded-md px-2 py-1 hover:bg-soft aria-selected:bg-accent-soft aria-selected:text-accent"
        >
          {children(item)}
        </div>
      ))}
    </div>
  )
}

/** Opens and closes the list. It is in the top layer, so a scrolling panel does not cut it off. */
function usePopup(
  popupRef: React.RefObject<HTMLElement | null>,
  inputRef: React.RefObject<HTMLElement | null>,
  isShown: boolean,
): void {
  useEffect(() => {
    const [popup, input] = [popupRef.current, inputRef.current]
    if (!popup || !input || popup.matches(':popover-open') === isShown) return
    if (isShown) popup.showPopover({ source: input })
    else popup.hidePopover()
  }, [popupRef, inputRef, isShown])
}

interface KeyContext<Item> {
  readonly items: readonly Item[]
  readonly text: string
  readonly isShown: boolean
  readonly position: number
  readonly onText: (text: string) => void
  readonly onEnter: (text: string) => void
  readonly setMarked: (position: number) => void
  readonly setIsOpen: (isOpen: boolean) => void
  readonly choose: (item: Item) => void
}

function handleKey<Item>(event: KeyboardEvent, context: KeyContext<Item>): void {
  const { items, text, isShown, position, onText, onEnter, setMarked, setIsOpen, choose } = context
  const marked = isShown ? items[position] : undefined
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      event.preventDefault()
      setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (isShown && items.length > 0) setMarked((position + step + items.length) % items.length)
      return
    }
    case 'Enter':
      event.preventDefault()
      if (marked) choose(marked)
      else if (text.trim() !== '') onEnter(text.trim())
      return
    case 'Escape':
      // Escape closes the list, then empties the field, and only then closes a dialog around it.
      if (!isShown && text === '') return
      event.preventDefault()
      event.stopPropagation()
      if (isShown) setIsOpen(false)
      else onText('')
  }
}
