// Lists of things that mounted components offer, such as keys and commands. The last one that was mounted comes first.
import { useEffect, useLayoutEffect, useRef } from 'react'

export interface Registered<Item> {
  readonly group: string
  readonly items: readonly Item[]
}

interface Registry<Item> {
  /** Offers the items under the group's title while the component is mounted. */
  readonly useItems: (group: string, items: readonly Item[]) => void
  /** Returns what the mounted components offer now, in the order in which they were mounted. */
  readonly list: () => readonly Registered<Item>[]
}

export function createRegistry<Item>(): Registry<Item> {
  const entries = new Set<() => Registered<Item>>()
  return {
    useItems: (group, items) => {
      const latest = useRef<Registered<Item>>({ group, items })
      useLayoutEffect(() => {
        latest.current = { group, items }
      })
      useEffect(() => {
        const read = () => latest.current
        entries.add(read)
        return () => void entries.delete(read)
      }, [])
    },
    list: () => [...entries].map((read) => read()),
  }
}
