// The stored form of `include=sources`. A CVE's statements share a small number of source-and-time pairs, so each pair
// is stored once and referred to by index. The served form is about three times as long.

import type { StatedDisagreement } from './disagreement.ts'

/** `time`: an instant, a day such as `2026-08-22`, or null. */
export type StoredOrigin = readonly [source: string, time: string | null]

/** Members of a statement besides its source and time. */
export interface StatementContent {
  readonly value?: string
  readonly version?: string
  readonly score?: number
  readonly vector?: string
  readonly stated_score?: number
  readonly cwe_list?: readonly string[]
  readonly tags?: readonly string[]
  readonly count?: number
  readonly derived?: true
  readonly removed_at?: string
  readonly truncated?: true
  readonly product?: string
  readonly branch?: string
  readonly downstream?: true
}

/** A number is an index into `StoredSources.origins`. */
export type StoredStatement = number | readonly [origin: number, content: StatementContent]

export interface StoredValueSources {
  /** Statements that agree with the record; the first one decided the value. */
  readonly from: readonly StoredStatement[]
  /** Statements that differ from the record, in order of precedence. */
  readonly others?: readonly StoredStatement[]
  /** Number of statements beyond the limit. */
  readonly omitted?: number
}

export interface StoredSources {
  readonly origins: readonly StoredOrigin[]
  readonly values: Readonly<Record<string, StoredValueSources>>
  readonly disagreements?: readonly StatedDisagreement[]
}
