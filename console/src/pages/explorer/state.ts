// The state of the list. All of it is in the query string, so that an address can be shared and "back" restores it.
import type { Sort } from 'vis-sdk'
import { SORT_WORDS } from 'vis-sdk/vocabulary'
import { COLUMN_IDS, type ColumnId, DEFAULT_COLUMNS } from './columns.ts'
import { FILTER_NAMES, type FilterName, type FilterValues, normaliseFilter } from './filters.ts'

/** The order by relevance is no choice of its own: it is the default for words, and the service refuses it without. */
export type ChosenSort = Exclude<Sort, 'relevance'>

export interface ExplorerState {
  readonly filters: FilterValues
  /** The order that the person chose, or undefined for the default order: by relevance if there are words. */
  readonly sort: ChosenSort | undefined
  readonly columns: readonly ColumnId[]
  /** Rejected CVEs are hidden unless the person asks for them or filters by status. */
  readonly showsRejected: boolean
}

const DEFAULT_SORT = 'published_desc' satisfies ChosenSort

const { relevance: _, ...CHOSEN_SORTS } = SORT_WORDS

export const CHOSEN_SORT_WORDS: Readonly<Record<ChosenSort, string>> = CHOSEN_SORTS

/** Reads a query string. Parameters that the API would refuse are left out. */
export function parseState(search: Readonly<Record<string, unknown>>): ExplorerState {
  const filters: Partial<Record<FilterName, string>> = {}
  for (const name of FILTER_NAMES) {
    const text = search[name]
    const value = typeof text === 'string' ? normaliseFilter(name, text) : undefined
    if (value !== undefined) filters[name] = value
  }
  return {
    filters,
    sort: isSort(search['sort']) ? search['sort'] : undefined,
    columns: parseColumns(search['columns']),
    showsRejected: search['rejected'] === 'show',
  }
}

/** Writes a query string: filters in a fixed order, and no value that is the default. */
export function toSearch(state: ExplorerState): Readonly<Record<string, string>> {
  const { filters, sort, columns, showsRejected } = state
  const isDefault = columns.join() === DEFAULT_COLUMNS.join()
  const given = FILTER_NAMES.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]))
  return {
    ...Object.fromEntries(given),
    ...(sort === undefined || sort === getDefaultSort(state) ? {} : { sort }),
    ...(isDefault ? {} : { columns: columns.join(',') }),
    ...(showsRejected ? { rejected: 'show' } : {}),
  }
}

/** Returns the order of the list: the chosen one, else the default. */
export function getSort(state: ExplorerState): Sort {
  return state.sort ?? getDefaultSort(state)
}

function getDefaultSort({ filters }: ExplorerState): Sort {
  return filters.q === undefined ? DEFAULT_SORT : 'relevance'
}

/** Sets or removes one filter. */
export function withFilter(state: ExplorerState, name: FilterName, text: string | undefined): ExplorerState {
  const { [name]: _, ...others } = state.filters
  const value = text === undefined ? undefined : normaliseFilter(name, text)
  return { ...state, filters: value === undefined ? others : { ...others, [name]: value } }
}

/** Returns whether a text is an order that a person can choose for every list. */
export function isSort(text: unknown): text is ChosenSort {
  return typeof text === 'string' && Object.hasOwn(CHOSEN_SORT_WORDS, text)
}

/** The order of the columns is fixed; a query string chooses which are shown. At least one is. */
function parseColumns(text: unknown): readonly ColumnId[] {
  const sent = typeof text === 'string' ? text.split(',') : []
  const known = COLUMN_IDS.filter((id) => sent.includes(id))
  return known.length === 0 ? DEFAULT_COLUMNS : known
}
