// A view in the terms of the list, and the list in the terms of a view.
import type { View } from 'vis-sdk'
import { sortViews } from '../../../text/views.ts'
import { type ExplorerState, getSort, parseState, toSearch } from '../state.ts'

/** Parameters of the address that are not part of the saved query. */
const OWN_PARAMETERS: readonly string[] = ['columns', 'rejected']

/** Returns the state of the list that a view stands for today. */
export function readView({ search, columns }: Pick<View, 'search' | 'columns'>): ExplorerState {
  const saved = Object.fromEntries(new URLSearchParams(search))
  return parseState({ ...saved, ...(columns === null ? {} : { columns: columns.join(',') }) })
}

/** Returns what a view of this list saves. The order is always named, because the API's own default differs. */
export function toViewContent(state: ExplorerState): { readonly query: string; readonly columns: string[] } {
  const entries = Object.entries(toSearch(state)).filter(([name]) => !OWN_PARAMETERS.includes(name))
  const query = new URLSearchParams({ ...Object.fromEntries(entries), sort: getSort(state) })
  return { query: query.toString(), columns: [...state.columns] }
}

/** Returns whether the list differs from the view: other filters, another order or other columns. */
export function differsFromView(state: ExplorerState, view: Pick<View, 'search' | 'columns'>): boolean {
  return formatState(state) !== formatState(readView(view))
}

function formatState(state: ExplorerState): string {
  return JSON.stringify([toSearch(state), getSort(state), state.columns])
}

/**
 * Returns the path that shows others the list. Only the owner has a view that is not shared, so its link names the
 * filters; a list that was changed since is no longer the view.
 */
export function toLink(state: ExplorerState, view: View): string {
  const isOpen = (view.shared || view.built_in) && !differsFromView(state, view)
  return `/cves?${new URLSearchParams(isOpen ? { view: view.id } : { ...toSearch(state), sort: getSort(state) })}`
}

/** Returns the places that move a view one step up or down among the saved ones; none if it is at the end. */
export function movePlaces(
  views: readonly View[],
  id: string,
  step: -1 | 1,
): readonly { readonly view: View; readonly place: number }[] {
  const saved = sortViews(views).filter(({ built_in }) => !built_in)
  const from = saved.findIndex((view) => view.id === id)
  const to = from + step
  const moved = saved[from]
  if (!moved || to < 0 || to >= saved.length) return []
  const order = saved.toSpliced(from, 1).toSpliced(to, 0, moved)
  return order.flatMap((view, index) => (view.place === index * 10 ? [] : [{ view, place: index * 10 }]))
}
