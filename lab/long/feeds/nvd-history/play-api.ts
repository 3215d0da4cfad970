// Plays NVD's API of changes with a generated history of any size, and with the bad manners of a real one.

import { historyPage } from '../../../../service/test/feeds/sources/nvd/history-upstream.ts'
import { createDice } from '../../../../service/test/support/generator/dice.ts'
import { behaviours, type Handler, startUpstream } from '../../../../service/test/support/network/upstream.ts'
import { createLife, listTimes } from './life.ts'

export interface Plan {
  readonly cves: number
  readonly changesPerCve: number
}

const PATH = '/rest/json/cvehistory/2.0'

/**
 * Some pages are answered with 503, 403 or half a page. Every hundredth change is dated days before the time from which
 * it is listed (`listLate`), and the overlap of windows sends changes twice.
 */
export async function playHistoryApi({ cves, changesPerCve }: Plan) {
  const upstream = await startUpstream()
  const order = sortByTime(cves, changesPerCve)
  const dice = createDice(48)
  let [requests, isLateListed] = [0, false]
  const isListed = (position: number) =>
    isLateListed || position % 100 !== 7 || (order.times[position] ?? 0) < LATE_FROM
  upstream.serve(PATH, (request, response) => {
    requests += 1
    const { query } = request
    const [from, until] = ['changeStartDate', 'changeEndDate'].map((name) => Date.parse(query.get(name) ?? ''))
    const [startIndex, size] = [Number(query.get('startIndex')), Number(query.get('resultsPerPage'))]
    const [first, end] = [lowerBound(order.times, from ?? 0), lowerBound(order.times, (until ?? 0) + 1)]
    const positions: number[] = []
    for (let position = first; position < end; position += 1) if (isListed(position)) positions.push(position)
    const page = historyPage(
      positions.slice(startIndex, startIndex + size).flatMap((position) => {
        const [cve, index] = order.locate(position)
        return createLife(cve, changesPerCve).changes.slice(index, index + 1)
      }),
      startIndex,
      positions.length,
    )
    return chooseManners(dice.below(40), page)(request, response)
  })
  return {
    host: upstream.host,
    url: `${upstream.url}${PATH}`,
    countRequests: () => requests,
    /** Lists the changes that were dated back. */
    listLate: () => {
      isLateListed = true
    },
  }
}

const LATE_FROM = Date.UTC(2026, 7, 16)

function chooseManners(roll: number, page: string): Handler {
  if (roll === 0) return behaviours.answers(503)
  if (roll === 1) return behaviours.answers(403)
  if (roll === 2) return behaviours.answers(200, page.slice(0, page.length / 2))
  return behaviours.answers(200, page)
}

function sortByTime(cves: number, changesPerCve: number) {
  const count = cves * changesPerCve
  const unsorted = new Float64Array(count)
  for (let cve = 0; cve < cves; cve += 1)
    for (const [index, time] of listTimes(cve, changesPerCve).entries()) unsorted[cve * changesPerCve + index] = time
  const positions = new Uint32Array(count)
    .map((_, position) => position)
    .sort((a, b) => (unsorted[a] ?? 0) - (unsorted[b] ?? 0))
  return {
    times: Float64Array.from(positions, (position) => unsorted[position] ?? 0),
    locate: (position: number) => {
      const place = positions[position] ?? 0
      return [Math.floor(place / changesPerCve), place % changesPerCve] as const
    },
  }
}

/** The first position whose time is not before the given one. */
function lowerBound(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
