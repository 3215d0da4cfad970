// The order of views.
import type { View } from 'vis-sdk'

/** Views in the order of the menu: own and shared ones by place, then those that everybody has. */
export function sortViews(views: readonly View[]): readonly View[] {
  return views.toSorted(
    (a, b) => Number(a.built_in) - Number(b.built_in) || a.place - b.place || a.name.localeCompare(b.name, 'en'),
  )
}
