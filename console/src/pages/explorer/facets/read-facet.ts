// Reads facets. Facets of the same search are read in one call, because each call counts as one of the account's reads.
import type { Facet, FacetFilters, Facets } from 'vis-sdk'
import { client } from '../../../data/client.ts'

/** Values of one facet, most frequent first. */
export interface FacetCounts {
  readonly values: readonly { readonly value: string; readonly count: number }[]
  /** Number of CVEs without a value. */
  readonly none: number
  /** Number of CVEs that match the filters. */
  readonly total: number
}

/** Number of values per facet. The panel shows the first ones, and the others at the press of a button. */
const FACET_SIZE = 12
/** Maximum number of facets that the service counts in one call. */
const MAX_FACETS_PER_CALL = 5
/**
 * Time during which reads are collected. A person may change several filters in that time: reads for a search that is
 * no longer shown are not sent.
 */
const COLLECT_MS = 200

interface WaitingRead {
  readonly facet: Facet
  readonly filters: FacetFilters
  readonly signal: AbortSignal
  readonly resolve: (counts: FacetCounts) => void
  readonly reject: (error: unknown) => void
}

let waiting: WaitingRead[] = []

/** Counts the values of one facet. Calls with the same filters within a fifth of a second become one call. */
export function readFacet(facet: Facet, filters: FacetFilters, signal: AbortSignal): Promise<FacetCounts> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    waiting.push({ facet, filters, signal, resolve, reject })
    if (waiting.length === 1) setTimeout(sendWaiting, COLLECT_MS)
  })
}

function sendWaiting(): void {
  const reads = waiting.filter(({ signal }) => !signal.aborted)
  waiting = []
  const searches = Map.groupBy(reads, ({ filters }) => JSON.stringify(filters))
  for (const sameSearch of searches.values()) {
    for (let start = 0; start < sameSearch.length; start += MAX_FACETS_PER_CALL)
      void send(sameSearch.slice(start, start + MAX_FACETS_PER_CALL))
  }
}

async function send(reads: readonly WaitingRead[]): Promise<void> {
  const facets = reads.map(({ facet }) => facet)
  try {
    const answer = await client.facets(facets, {
      ...reads[0]?.filters,
      facet_size: FACET_SIZE,
      signal: abortIfAllDo(reads.map(({ signal }) => signal)),
    })
    for (const { facet, resolve } of reads) resolve(toCounts(answer, facet))
  } catch (error) {
    for (const { reject } of reads) reject(error)
  }
}

function toCounts({ facets, total }: Facets, facet: Facet): FacetCounts {
  const counted = facets[facet] ?? []
  const values = counted.flatMap(({ value, count }) => (value === null ? [] : [{ value, count }]))
  return { values, none: counted.find(({ value }) => value === null)?.count ?? 0, total }
}

/** Returns a signal that aborts as soon as no caller waits for the answer. */
function abortIfAllDo(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  const check = () => {
    if (signals.every(({ aborted }) => aborted)) controller.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', check)
  return controller.signal
}
