// The search field in the header: CVE ids, words, products, vendors, views, pages and actions. `/` and Ctrl-K move the
// focus into it. It is an ARIA combobox: the arrow keys move through the list below while the focus stays in the field.
// The focus also stays after a search for words, so that the words can be changed at once; Escape then moves it to what was
// found. An entry that opens another page moves it there.
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { KeyCaps } from '../../kit/key-caps.tsx'
import { useKeys } from '../../kit/keys.ts'
import type { PlainSearch } from '../search-string.ts'
import { EntryList } from './entry-list.tsx'
import { type Entry, useEntries } from './use-entries.ts'

const STEPS: Readonly<Partial<Record<string, number>>> = { ArrowDown: 1, ArrowUp: -1 }

const COMBOBOX = {
  name: 'q',
  maxLength: 256,
  'aria-label': 'Search CVEs, products, views, pages and actions',
  'aria-keyshortcuts': '/ Control+K',
  'aria-autocomplete': 'list',
  placeholder: 'Search CVEs, products, views, actions',
  autoComplete: 'off',
  spellCheck: false,
  enterKeyHint: 'search',
  className:
    'h-8.5 w-full rounded-lg border border-line-strong bg-panel pr-3 pl-9 text-ellipsis placeholder:text-ink-3 max-sm:h-9 sm:pr-20',
} as const

export function SearchField() {
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const { text, setText, current } = useText()
  const [isOpen, setIsOpen] = useState(false)
  const [marked, setMarked] = useState(0)
  const navigate = useNavigate()
  const entries = useEntries({ text, current, isOpen, navigate: (address) => void navigate(address) })
  const open = () => {
    setMarked(0)
    setIsOpen(true)
  }
  const type = (value: string) => {
    setText(value)
    open()
  }
  useFocusKeys(inputRef, open)
  const choose = (position: number) => {
    setIsOpen(false)
    if (!keepsFocus(entries[position])) focusContent()
    entries[position]?.run()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    choose(isOpen ? Math.min(marked, entries.length - 1) : 0)
  }
  const position = Math.min(marked, entries.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (event.key === 'Escape' && isOpen) setIsOpen(false)
    else if (event.key === 'Escape') focusContent()
    else if (step !== undefined && isOpen) setMarked((position + step + entries.length) % entries.length)
    else if (step !== undefined) open()
    else return
    event.preventDefault()
  }
  return (
    <search onBlur={(event) => hasLeft(event) && setIsOpen(false)} className="relative min-w-0 flex-1 sm:max-w-130">
      <form onSubmit={submit} className="relative">
        <input
          {...COMBOBOX}
          role="combobox"
          ref={inputRef}
          value={text}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen ? `${id}-${position}` : undefined}
          onChange={({ target }) => type(target.value)}
          onClick={() => !isOpen && open()}
          onKeyDown={onKeyDown}
        />
        <Decoration />
      </form>
      {isOpen && <EntryList id={id} entries={entries} position={position} onChoose={choose} />}
    </search>
  )
}

/** Moves the focus to the page below the header. Without a focus, screen readers would begin at the top again. */
const focusContent = () => document.getElementById('main')?.focus({ preventScroll: true })

/** On a phone, the keyboard would cover what was found. */
const keepsFocus = (entry: Entry | undefined) => entry?.isSearch === true && !matchMedia('(pointer: coarse)').matches

const hasLeft = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => !currentTarget.contains(relatedTarget)

function Decoration() {
  return (
    <>
      <Search aria-hidden size={16} className="pointer-events-none absolute top-2.25 left-3 text-ink-3" />
      <span aria-hidden className="pointer-events-none absolute top-1.5 right-2.5 hidden sm:block">
        <KeyCaps keys="Ctrl+k" />
      </span>
    </>
  )
}

function useFocusKeys(inputRef: RefObject<HTMLInputElement | null>, open: () => void): void {
  const focus = () => {
    inputRef.current?.focus()
    inputRef.current?.select()
    open()
  }
  useKeys('Everywhere', [
    { keys: 'Ctrl+k', label: 'Search, or find a page or an action', run: focus },
    { keys: '/', label: 'Search', run: focus },
  ])
}

/** The typed text. It follows the words of the list's address, for example when "back" changes them. */
function useText() {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  // The cast is safe: the router's parseSearch returns only strings.
  const current = pathname === '/cves' ? (search as PlainSearch) : NO_SEARCH
  const shown = current['q'] ?? ''
  const [text, setText] = useState(shown)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page empties the field although the words are the same.
  useEffect(() => setText(shown), [shown, pathname])
  return { text, setText, current }
}

const NO_SEARCH: PlainSearch = {}
