import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Reports when an element enters or leaves the view, by scrolling or because an ancestor is hidden. */
export function useInSight(ref: RefObject<Element | null>, onChange: (isInSight: boolean) => void): void {
  const report = useEffectEvent(onChange)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new IntersectionObserver((entries) => report(entries.at(-1)?.isIntersecting === true))
    observer.observe(element)
    return () => {
      observer.disconnect()
      report(false)
    }
  }, [ref])
}
