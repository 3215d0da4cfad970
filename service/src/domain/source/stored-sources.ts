// The stored form of the sources of a CVE's values (`include=sources`). Most statements of a CVE have one of few pairs of
// source and time, so each pair is stored once, and a statement refers to it by its index. The served form is about three
// times as long.

/**
 * Source, and the time of its statement: an instant, a day such as `2026-08-22`, or null if the source gives no date.
 */
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
}

/**
 * A statement without other members is stored as a number: the index of its source and time in `StoredSources.origins`.
 */
export type StoredStatement = number | readonly [origin: number, content: StatementContent]

export interface StoredValueSources {
  /** Statements that agree with the record; the first one decided. */
  readonly from: readonly StoredStatement[]
  /** Statements that differ from the record, in the order of precedence. */
  readonly others?: readonly StoredStatement[]
  /** Number of statements that are left out, because their number is limited. */
  readonly omitted?: number
}

export interface StoredSources {
  readonly origins: readonly StoredOrigin[]
  readonly values: Readonly<Record<string, StoredValueSources>>
}
