import { type RefCallback, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'

/** Returns a ref for an element and its width in pixels, which is updated when it changes. */
export function useElementWidth(): readonly [ref: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(() => document.documentElement.clientWidth)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    setWidth(element.clientWidth)
    // The browser calls this before it paints. Without flushSync, it would first paint the layout for the former width.
    const observer = new ResizeObserver(() => flushSync(() => setWidth(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
