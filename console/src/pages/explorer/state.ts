// The state of the list. It is kept entirely in the query string, so that an address can be shared and "back" restores
// it.
import type { Sort } from 'vis-sdk'
import { SORT_WORDS } from 'vis-sdk/vocabulary'
import { FILTER_NAMES, type FilterName, type FilterValues, normaliseFilter } from '../../text/search/filters.ts'
import { COLUMN_IDS, type ColumnId, DEFAULT_COLUMNS } from './columns.ts'

/**
 * Relevance is not a separate choice: it is the default order for a text search, and the service refuses it otherwise.
 */
export type ChosenSort = Exclude<Sort, 'relevance'>

export interface ExplorerState {
  readonly filters: FilterValues
  /** The chosen order, or undefined for the default: relevance if there are search words. */
  readonly sort: ChosenSort | undefined
  readonly columns: readonly ColumnId[]
  /** Rejected CVEs are hidden unless the person asks for them or filters by status. */
  readonly showsRejected: boolean
}

const DEFAULT_SORT = 'level_desc' satisfies ChosenSort

const { relevance: _, ...CHOSEN_SORTS } = SORT_WORDS

export const CHOSEN_SORT_WORDS: Readonly<Record<ChosenSort, string>> = CHOSEN_SORTS

/** Parses a query string. Parameters that the API would refuse are left out. */
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

/** Converts the state to a query string: filters in a fixed order, without default values. */
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

/** Returns the order of the list: the chosen one, or else the default. */
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

/** Returns whether the text is an order that can be chosen for every list. */
export function isSort(text: unknown): text is ChosenSort {
  return typeof text === 'string' && Object.hasOwn(CHOSEN_SORT_WORDS, text)
}

/** The order of the columns is fixed; the query string selects which ones are shown. There is always at least one. */
function parseColumns(text: unknown): readonly ColumnId[] {
  const sent = typeof text === 'string' ? text.split(',') : []
  const known = COLUMN_IDS.filter((id) => sent.includes(id))
  return known.length === 0 ? DEFAULT_COLUMNS : known
}
