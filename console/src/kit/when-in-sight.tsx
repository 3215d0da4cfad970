// Content that is read when it comes in sight for the first time, so that a page reads no more than a person looks at.
import { type ReactNode, useRef, useState } from 'react'
import { useInSight } from './use-in-sight.ts'

interface WhenInSightProps {
  /** Classes of the empty place until then, such as its height. */
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
