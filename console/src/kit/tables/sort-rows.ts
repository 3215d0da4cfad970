// Sorts rows in the browser, for tables whose rows are all loaded.

export interface SortState {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

export type SortValue = string | number | null | undefined

/** Returns a sorted copy. Rows without a value come last in both directions, as in the API. */
export function sortRows<Row>(
  rows: readonly Row[],
  getValue: (row: Row) => SortValue,
  direction: 'asc' | 'desc',
): readonly Row[] {
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((left, right) => {
    const [a, b] = [getValue(left) ?? undefined, getValue(right) ?? undefined]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en'))
  })
}

/** Returns the state after a click on a column header: the first direction, then the other. */
export function toggleSort(current: SortState | undefined, column: string, first: 'asc' | 'desc'): SortState {
  if (current?.column !== column) return { column, direction: first }
  return { column, direction: current.direction === 'asc' ? 'desc' : 'asc' }
}
