// A choice that this browser remembers, such as whether a section is open. It is never a secret.
import { useState } from 'react'

const PREFIX = 'vis-choice-'

/** Returns the choice and a function that changes it. A browser that stores nothing forgets it with the page. */
export function useRemembered(name: string, initial: boolean): readonly [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(name) ?? initial)
  const change = (next: boolean) => {
    setValue(next)
    try {
      localStorage.setItem(PREFIX + name, next ? 'yes' : 'no')
    } catch {
      // The choice lasts until the page is left.
    }
  }
  return [value, change]
}

function read(name: string): boolean | undefined {
  try {
    const stored = localStorage.getItem(PREFIX + name)
    return stored === null ? undefined : stored === 'yes'
  } catch {
    return undefined
  }
}
