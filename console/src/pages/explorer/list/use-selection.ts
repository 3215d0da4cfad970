// The chosen rows, for an action on several CVEs.
import { useState } from 'react'

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  /** Chooses all rows between the one that was chosen last and this one. */
  readonly extendTo: (id: string) => void
  readonly setAll: (isOn: boolean) => void
  readonly clear: () => void
}

/** `allIds` are the ids of the loaded rows. A row that a new search does not find is no longer chosen. */
export function useSelection(allIds: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  const ids = new Set(allIds.filter((id) => chosen.has(id)))
  return {
    ids,
    toggle: (id) => {
      setLast(id)
      setChosen(toggleId(ids, id))
    },
    extendTo: (id) => {
      setLast(id)
      setChosen(new Set([...ids, ...listBetween(allIds, last, id)]))
    },
    setAll: (isOn) => setChosen(new Set(isOn ? allIds : [])),
    clear: () => setChosen(new Set()),
  }
}

export function toggleId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Lists the ids from one row to another, in either direction. Without a first row, only the second one counts. */
export function listBetween(all: readonly string[], from: string | undefined, to: string): readonly string[] {
  const start = from === undefined ? -1 : all.indexOf(from)
  const end = all.indexOf(to)
  if (start < 0 || end < 0) return [to]
  return all.slice(Math.min(start, end), Math.max(start, end) + 1)
}
