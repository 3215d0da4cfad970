// Fills in a product that another page names in the address, such as `check=log4j log4j `. The product is public; the
// version that the person adds stays out of the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** One line of a component without its version. */
const MAX_LENGTH = 600

interface Form {
  readonly textRef: RefObject<HTMLTextAreaElement | null>
  readonly setText: (text: string) => void
  readonly removeFile: () => void
}

/** `onFill` shows the form. */
export function usePrefill({ textRef, setText, removeFile }: Form, onFill: () => void): void {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const { check, ...options } = search
  const navigate = useNavigate()
  const fill = useRef(() => {})
  useEffect(() => {
    fill.current = () => {
      if (typeof check !== 'string' || check.length > MAX_LENGTH || /[\r\n]/.test(check)) return
      removeFile()
      setText(check)
      onFill()
      // The browser draws the text first, so that the cursor can go behind it.
      requestAnimationFrame(() => {
        textRef.current?.focus()
        textRef.current?.setSelectionRange(check.length, check.length)
      })
      // Going back must not fill in the product again.
      void navigate({ to: '/match', search: options, replace: true, resetScroll: false })
    }
  })
  useEffect(() => {
    if (check !== undefined) fill.current()
  }, [check])
}
