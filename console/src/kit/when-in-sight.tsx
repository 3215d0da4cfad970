// Content that is loaded when it first comes into view, so that a page loads no more than a person looks at.
import { type ReactNode, useRef, useState } from 'react'
import { useInSight } from './use-in-sight.ts'

interface WhenInSightProps {
  /** Classes for the empty placeholder until then, such as its height. */
  readonly className: string
  readonly children: ReactNode
}

export function WhenInSight({ className, children }: WhenInSightProps) {
  const [wasInSight, setWasInSight] = useState(false)
  return wasInSight ? children : <Place className={className} onInSight={() => setWasInSight(true)} />
}

function Place({ className, onInSight }: { readonly className: string; readonly onInSight: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  useInSight(ref, (isInSight) => {
    if (isInSight) onInSight()
  })
  return <div ref={ref} className={className} />
}
