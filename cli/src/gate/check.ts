// Compares CVEs with the conditions of `visctl gate`. If a call fails, the check ends with an error and writes no report.
import type { Client, SearchFilters } from 'vis-sdk'
import { PRICES, searchCvesParameters } from 'vis-sdk/vocabulary'
import { UsageError } from '../command.ts'
import type { GivenId, IdList } from '../read-ids.ts'
import { describeLoading } from '../render/loading.ts'
import {
  type ConditionName,
  type Conditions,
  compareCve,
  type GateCve,
  listDataSets,
  type MissingValue,
  selectMembers,
} from './conditions.ts'

export interface Match {
  readonly cve: GateCve
  readonly met: readonly ConditionName[]
  /** Line number of the CVE id in its file. */
  readonly line: number
}

export interface GateReport {
  readonly conditions: Conditions
  /** File with the ids, or `arguments`, `stdin` or `search`. */
  readonly origin: string
  /** Number of CVEs that were compared. */
  readonly checked: number
  readonly matches: readonly Match[]
  /** CVEs that meet no condition, but lack a value that a condition needs. */
  readonly unscored: readonly { readonly cve_id: string; readonly missing: readonly MissingValue[] }[]
  /** Ids that the service does not know. */
  readonly unknown: readonly GivenId[]
  /** Data sets that the conditions depend on and that are older than their maximum age. */
  readonly stale: readonly string[]
  readonly credits: number
}

export const MAX_IDS_PER_CALL = searchCvesParameters.ids.maxItems
const MAX_PAGE_SIZE = searchCvesParameters.limit.maximum
/** A search that finds more CVEs is an error: it is probably a mistake, and each page costs credits. */
const MAX_FOUND = 10_000
/** The service estimates totals above 1,000. Estimates are off by at most about this factor. */
const ESTIMATE_ERROR = 1.5

export async function checkIds(client: Client, { origin, ids }: IdList, conditions: Conditions): Promise<GateReport> {
  const found = new Map<string, GateCve>()
  let credits = 0
  for (let at = 0; at < ids.length; at += MAX_IDS_PER_CALL) {
    const group = ids.slice(at, at + MAX_IDS_PER_CALL).map(({ id }) => id)
    for await (const { items } of client.search({ ids: group, ...selectMembers(conditions) }).pages()) {
      credits += PRICES.searchCves
      for (const cve of items) found.set(cve.cve_id, cve)
    }
  }
  const known = ids.flatMap(({ id, line }) => {
    const cve = found.get(id)
    return cve ? [{ cve, line }] : []
  })
  const unknown = ids.filter(({ id }) => !found.has(id))
  return { ...compareAll(known, conditions), origin, unknown, stale: await listStale(client, conditions), credits }
}

/** Compares all CVEs that a search finds. */
export async function checkSearch(client: Client, query: SearchFilters, conditions: Conditions): Promise<GateReport> {
  const found: GateCve[] = []
  let credits = 0
  const listing = client.search({ ...query, limit: MAX_PAGE_SIZE, ...selectMembers(conditions, query.include) })
  for await (const { items, totalEstimate = 0 } of listing.pages()) {
    credits += PRICES.searchCves
    found.push(...items)
    if (totalEstimate > MAX_FOUND * ESTIMATE_ERROR || found.length > MAX_FOUND) {
      const total = totalEstimate.toLocaleString('en')
      throw new UsageError(
        `The search finds about ${total} CVEs, but at most ${MAX_FOUND.toLocaleString('en')} can be checked.`,
      )
    }
  }
  const known = found.map((cve) => ({ cve, line: 1 }))
  const stale = await listStale(client, conditions)
  return { ...compareAll(known, conditions), origin: 'search', unknown: [], stale, credits }
}

async function listStale(client: Client, conditions: Conditions): Promise<readonly string[]> {
  const health = await client.health()
  const loading = describeLoading(health)
  if (loading !== undefined)
    throw new UsageError(
      `The service is loading its catalog for the first time: ${loading}.`,
      'Nothing can be judged before the load is finished. Try again later; visctl health shows the progress.',
    )
  return listDataSets(conditions).filter((name) => health.datasets[name]?.stale ?? true)
}

function compareAll(known: readonly { readonly cve: GateCve; readonly line: number }[], conditions: Conditions) {
  const compared = known.map(({ cve, line }) => ({ cve, line, ...compareCve(cve, conditions) }))
  return {
    conditions,
    checked: compared.length,
    matches: compared.filter(({ met }) => met.length > 0),
    unscored: compared
      .filter(({ met, missing }) => met.length === 0 && missing.length > 0)
      .map(({ cve, missing }) => ({ cve_id: cve.cve_id, missing })),
  }
}
