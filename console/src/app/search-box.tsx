// The search box in the header. `/` and Ctrl-K move the focus into it.
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import { useShownValue } from '../kit/use-shown-value.ts'
import { isAlias } from '../text/alias.ts'
import { parseCveIds } from '../text/cve-id.ts'
import { type PlainSearch, replaceWords } from './search-string.ts'

export function SearchBox() {
  const inputRef = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  useSearchShortcut(inputRef)

  const isExplorer = pathname === '/cves'
  // The cast is safe: the router's parseSearch returns only strings.
  const current = isExplorer ? (search as PlainSearch) : {}
  useShownValue(inputRef, current['q'] ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = inputRef.current?.value.trim() ?? ''
    const ids = parseCveIds(text)
    const [cveId] = ids
    if (cveId && ids.length === 1) void navigate({ to: '/cves/$cveId', params: { cveId } })
    else if (cveId) void navigate({ to: '/cves', search: { ids: ids.join(',') } })
    else if (isAlias(text)) void navigate({ to: '/alias/$alias', params: { alias: text } })
    else void navigate({ to: '/cves', search: replaceWords(current, text) })
  }
  return (
    <search className="min-w-0 max-w-2xl flex-1">
      <form onSubmit={submit} className="relative">
        <Search aria-hidden size={16} className="pointer-events-none absolute top-2.5 left-3 text-ink-3" />
        <input
          ref={inputRef}
          defaultValue={current['q'] ?? ''}
          type="search"
          name="q"
          maxLength={256}
          aria-label="Search CVEs by words or id"
          aria-keyshortcuts="/ Control+K"
          placeholder="Words or CVE id"
          autoComplete="off"
          spellCheck={false}
          className="h-9 w-full rounded-lg border border-line-strong bg-canvas pr-3 pl-9 placeholder:text-ink-3 sm:pr-20"
        />
        <kbd
          aria-hidden
          className="absolute top-2 right-3 hidden rounded border border-b-2 border-line bg-panel px-1.5 font-mono text-2xs text-ink-3 sm:block"
        >
          Ctrl K
        </kbd>
      </form>
    </search>
  )
}

function useSearchShortcut(inputRef: React.RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isControlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isControlK && !(isSlash && !isTextField(event.target))) return
      event.preventDefault()
      inputRef.current?.focus()
      inputRef.current?.select()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [inputRef])
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
