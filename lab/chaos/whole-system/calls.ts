// The calls of the load: one kind for every endpoint, with its price and a check of the answered data.
import { endpoints } from '../../../service/src/api/endpoints/index.ts'
import { toHalfCredits } from '../../../service/src/domain/account/credits.ts'
import type { Dice } from '../../../service/test/support/generator/dice.ts'
import { CVE_IDS, findStates, KEV_IDS, UNKNOWN_ID } from './published-states.ts'

export interface PlannedCall {
  /** Name of the endpoint. */
  readonly endpoint: string
  readonly path: string
  /** JSON text of a POST request; undefined for a GET request. */
  readonly body?: string
  readonly costHalf: number
  readonly requestedStatus: '200' | '404'
  /** Returns what is wrong with the data of a 200 answer; undefined if nothing is wrong. */
  check(data: unknown, newest: ReadonlyMap<string, number>): string | undefined
}

type CallParts = Pick<PlannedCall, 'endpoint' | 'path' | 'check'> & Partial<PlannedCall>

const COSTS = new Map(endpoints.map(({ name, credits }) => [name, toHalfCredits(credits)]))

function planCall(parts: CallParts): PlannedCall {
  const costHalf = COSTS.get(parts.endpoint)
  if (costHalf === undefined) throw new Error(`There is no endpoint with the name ${parts.endpoint}.`)
  return { costHalf, requestedStatus: '200', ...parts }
}

const pickId = (dice: Dice) => CVE_IDS[dice.below(CVE_IDS.length)] ?? UNKNOWN_ID

function pickIds(dice: Dice, count: number): readonly string[] {
  const first = dice.below(CVE_IDS.length - count)
  return CVE_IDS.slice(first, first + count)
}

/** Each function plans one call. Functions that are listed twice are planned twice as often. */
const PLANNERS: readonly ((dice: Dice) => PlannedCall)[] = [
  planRecord,
  planRecord,
  planRecord,
  planDetail,
  planExploits,
  planSearchByIds,
  planSearchByText,
  () => planCall({ endpoint: 'recent-cves', path: '/api/v1/cves/recent?days=30&limit=10', check: checkList }),
  () => planCall({ endpoint: 'list-kev', path: '/api/v1/kev?limit=100', check: checkKev }),
  () => planCall({ endpoint: 'get-stats', path: '/api/v1/stats', check: checkStats }),
  planBatch,
  planUnknown,
  () => planCall({ endpoint: 'ping', path: '/api/v1/ping', check: () => undefined }),
  () => planCall({ endpoint: 'ping-lite', path: '/api/v1/ping-lite', check: () => undefined }),
  () => planCall({ endpoint: 'get-usage', path: '/api/v1/usage', check: checkUsage }),
]

export function planRandomCall(dice: Dice): PlannedCall {
  const plan = PLANNERS[dice.below(PLANNERS.length)] ?? planRecord
  return plan(dice)
}

function planRecord(dice: Dice): PlannedCall {
  const id = pickId(dice)
  return planCall({ endpoint: 'get-cve', path: `/api/v1/cve/${id}`, check: checkExactly([id]) })
}

function planDetail(dice: Dice): PlannedCall {
  const id = pickId(dice)
  return planCall({ endpoint: 'get-cve-detail', path: `/api/v1/cve/${id}/detail`, check: checkExactly([id]) })
}

function planExploits(dice: Dice): PlannedCall {
  const id = pickId(dice)
  const check = (data: unknown) => {
    const { cve_id: shown } = Object(data)
    return shown === id ? undefined : `the evidence of ${shown} instead of ${id}`
  }
  return planCall({ endpoint: 'list-exploits', path: `/api/v1/cve/${id}/exploits`, check })
}

function planSearchByIds(dice: Dice): PlannedCall {
  const ids = pickIds(dice, 5)
  return planCall({ endpoint: 'search-cves', path: `/api/v1/cves?ids=${ids.join()}`, check: checkExactly(ids) })
}

function planSearchByText(dice: Dice): PlannedCall {
  const id = pickId(dice)
  return planCall({
    endpoint: 'search-cves',
    path: `/api/v1/cves?q=version&limit=${5 + (id.length % 3)}`,
    check: checkList,
  })
}

function planBatch(dice: Dice): PlannedCall {
  const ids = pickIds(dice, 3)
  const check = checkExactly(ids)
  return planCall({
    endpoint: 'batch-cves',
    path: '/api/v1/cve/batch',
    body: JSON.stringify({ cve_ids: [...ids, UNKNOWN_ID] }),
    check: (data, newest) => {
      const { cves, not_found: missing } = Object(data)
      const found = Object.entries(Object(cves)).map(([key, cve]) => `${key} ${Object(cve).cve_id}`)
      const expected = ids.map((id) => `${id} ${id}`)
      if (found.toSorted().join() !== expected.toSorted().join()) return `a batch with the records ${found.join()}`
      return String(missing) === UNKNOWN_ID ? check(data, newest) : `a batch that does not find ${missing}`
    },
  })
}

function planUnknown(): PlannedCall {
  const check = () => 'a record that was never published'
  return planCall({ endpoint: 'get-cve', path: `/api/v1/cve/${UNKNOWN_ID}`, requestedStatus: '404', check })
}

/** Returns a check that the data show exactly these CVEs, each in one published state. */
function checkExactly(ids: readonly string[]): PlannedCall['check'] {
  return (data, newest) => {
    const states = findStates(JSON.stringify(data))
    if ([...states.keys()].toSorted().join() !== ids.toSorted().join())
      return `the records ${[...states.keys()].join()} instead of ${ids.join()}`
    return findWrongState(states, newest)
  }
}

function checkList(data: unknown, newest: ReadonlyMap<string, number>): string | undefined {
  const { cves } = Object(data)
  if (!Array.isArray(cves) || cves.length === 0) return 'an empty list'
  const states = findStates(JSON.stringify(data))
  const shown = cves.map(({ cve_id: id }) => String(id))
  if (new Set(shown).size !== shown.length || shown.toSorted().join() !== [...states.keys()].toSorted().join())
    return `a list of ${shown.join()} with the texts of ${[...states.keys()].join()}`
  return findWrongState(states, newest)
}

function findWrongState(
  states: ReadonlyMap<string, ReadonlySet<number>>,
  newest: ReadonlyMap<string, number>,
): string | undefined {
  for (const [id, versions] of states) {
    const [version = 0, other] = versions
    if (other !== undefined) return `${id} with texts of the versions ${[...versions].join()}`
    if (version < 1 || version > (newest.get(id) ?? 0)) return `${id} in version ${version}, which was never published`
  }
  return undefined
}

function checkKev(data: unknown): string | undefined {
  const { kev_entries: entries } = Object(data)
  const shown = Array.isArray(entries) ? entries.map((entry) => JSON.stringify(entry).match(/CVE-\d+-\d+/)?.[0]) : []
  return shown.toSorted().join() === KEV_IDS.join() ? undefined : `the KEV entries ${shown.join()}`
}

function checkStats(data: unknown): string | undefined {
  const { totalCves, totalKev } = Object(Object(data).stats)
  return totalCves === CVE_IDS.length && totalKev === KEV_IDS.length
    ? undefined
    : `totals of ${totalCves} CVEs and ${totalKev} KEV entries`
}

function checkUsage(data: unknown): string | undefined {
  const { credits_used: used, credits_limit: limit } = Object(Object(data).usage)
  return used <= limit ? undefined : `${used} used credits of ${limit}`
}
