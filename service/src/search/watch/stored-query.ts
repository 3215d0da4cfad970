// The stored query of a watch. Its days can be relative to the day of the change that is judged, the same day for before
// and after: the passing of time alone is no change.
import { formatDay } from '../../domain/instant.ts'
import type { FilterValues } from '../filters/table.ts'
import { createFilterReader, hasRelativeDay } from '../views/view-query.ts'
import { type CompiledQuery, compileQuery } from './query.ts'

export interface StoredQuery {
  /** Equal for queries with the same meaning on every day. */
  readonly key: string
  /** Returns the query as it is on the day of a time, in UTC. */
  readonly on: (time: Date) => CompiledQuery
}

/** Throws if the query is invalid, or has a filter that no watch takes. */
export function readStoredQuery(query: string): StoredQuery {
  const compileOn = (time: Date) => compileQuery(readFilters(query, time))
  if (!hasRelativeDay(query)) {
    const compiled = compileOn(new Date(0))
    return { key: compiled.key, on: () => compiled }
  }
  let kept: { readonly day: string; readonly compiled: CompiledQuery } | undefined
  return {
    key: query,
    on: (time) => {
      const day = formatDay(time)
      if (kept?.day !== day) kept = { day, compiled: compileOn(time) }
      return kept.compiled
    },
  }
}

/** Reading a day's queries one after the other shares the parameters of that day. */
let reader: { readonly day: string; readonly read: ReturnType<typeof createFilterReader> } | undefined

function readFilters(query: string, time: Date): FilterValues {
  const day = formatDay(time)
  if (reader?.day !== day) reader = { day, read: createFilterReader(time) }
  const reading = reader.read(query)
  if ('value' in reading) return reading.value
  const [issue] = reading.issues
  throw new Error(`The query ${query} of a watch is invalid: ${issue?.parameter} ${issue?.message}`)
}
