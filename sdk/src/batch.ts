// Many CVEs at once: as many calls as needed, and one answer.
import { VisError } from './errors.ts'
import type { Batch, Field } from './records.ts'

/** The most ids of one call. */
const BATCH_SIZE = 50
const CVE_ID = /^CVE-\d{4}-\d{4,19}$/i

/** The ids of each call. What would fail halfway, after some calls were paid for, is refused before the first. */
export function splitIds(ids: readonly string[], isSorted: boolean): readonly (readonly string[])[] {
  if (ids.length <= BATCH_SIZE) return [ids]
  const wrong = ids.find((id) => !CVE_ID.test(id))
  if (wrong !== undefined) throw refusal('cve_ids', wrong, 'cve_ids must look like CVE-2021-44228')
  const distinct = [...new Set(ids.map((id) => id.toUpperCase()))]
  if (isSorted && distinct.length > BATCH_SIZE) {
    throw refusal('sort', null, `sort orders at most ${BATCH_SIZE} CVEs: leave it out, and sort the records yourself`)
  }
  return Array.from({ length: Math.ceil(distinct.length / BATCH_SIZE) }, (_, at) =>
    distinct.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  )
}

function refusal(parameter: string, value: string | null, message: string): VisError {
  return new VisError({ code: 'INVALID_PARAMETER', message, parameter, value })
}

/** As if one call had answered. `total_requested` counts what the caller asked for, repetitions too. */
export function mergeBatches<Name extends Field>(batches: readonly Batch<Name>[], totalRequested: number): Batch<Name> {
  const filteredOut = batches.flatMap(({ filtered_out }) => filtered_out ?? [])
  const count = sum(batches.map((batch) => batch.count))
  // Of at most 50 CVEs the percentage tells exactly how many are meant.
  const enriched = sum(batches.map((batch) => Math.round((batch.enriched_percentage * batch.count) / 100)))
  return {
    cves: Object.assign({}, ...batches.map(({ cves }) => cves)),
    not_found: batches.flatMap(({ not_found }) => not_found),
    ...(batches.some(({ filtered_out }) => filtered_out) ? { filtered_out: filteredOut } : {}),
    count,
    total_requested: totalRequested,
    credits_charged: sum(batches.map(({ credits_charged }) => credits_charged)),
    enriched_percentage: count === 0 ? 0 : Math.round((enriched / count) * 10_000) / 100,
    timestamp: batches.at(-1)?.timestamp ?? '',
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
