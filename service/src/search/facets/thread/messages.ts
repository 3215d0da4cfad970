import type { PoolLimits } from '../../../database/postgres.ts'
import type { Position } from '../../../domain/change/position.ts'
import type { FacetCounts, FacetQuery } from '../facet-query.ts'

export interface ColumnsSettings {
  readonly databaseUrl: string
  readonly poolLimits: PoolLimits
}

/** The state of the database for which a search is counted. */
export interface SearchState {
  /** In catalog.column_change. */
  readonly position: Position
  /** Keys of the hits, separated by commas, if only the database can find them. */
  readonly keys: string | undefined
}

export interface CountRequest {
  readonly id: number
  readonly query: FacetQuery
  readonly state: SearchState
}

/** The columns in memory, for the log. */
export interface LoadedColumns {
  readonly cves: number
  readonly megabytes: number
  readonly seconds: number
}

export type ColumnsReply =
  | 'ready'
  /** Without counts if the columns do not show the state, or the reason if counting failed. */
  | { readonly id: number; readonly counts: FacetCounts | undefined; readonly failure?: string | undefined }
  | { readonly loaded: LoadedColumns }
  | { readonly failure: string }
