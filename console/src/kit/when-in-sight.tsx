// Content that is loaded when it first comes into view, so that a page loads no more than a person looks at.
import { type ReactNode, useRef, useState } from 'react'
import { useInSight } from './use-in-sight.ts'

interface WhenInSightProps {
  /** Height in pixels of the empty placeholder until then. */
  readonly height: number
  readonly children: ReactNode
}

export function WhenInSight({ height, children }: WhenInSightProps) {
  const [wasInSight, setWasInSight] = useState(false)
  return wasInSight ? children : <Place height={height} onInSight={() => setWasInSight(true)} />
}

function Place({ height, onInSight }: { readonly height: number; readonly onInSight: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  useInSight(ref, (isInSight) => {
    if (isInSight) onInSight()
  })
  return <div ref={ref} style={{ height }} />
}
