// Splits a batch of any size into calls of 50 ids, and merges their responses.
import { VisError } from './errors.ts'
import type { Batch, Field } from './records.ts'

/** Maximum number of ids that the service accepts in one call. */
const MAX_BATCH_SIZE = 50
const CVE_ID = /^CVE-\d{4}-\d{4,19}$/i

/**
 * Splits ids into calls. Checks all ids before the first call, because the calls before an invalid id would cost
 * credits.
 */
export function splitIds(ids: readonly string[], isSorted: boolean): readonly (readonly string[])[] {
  if (ids.length <= MAX_BATCH_SIZE) return [ids]
  const malformed = ids.find((id) => !CVE_ID.test(id))
  if (malformed !== undefined) {
    throw invalidParameter('cve_ids', malformed, 'cve_ids must look like CVE-2021-44228')
  }
  const distinct = [...new Set(ids.map((id) => id.toUpperCase()))]
  if (isSorted && distinct.length > MAX_BATCH_SIZE) {
    const message = `sort works for at most ${MAX_BATCH_SIZE} CVEs: leave it out and sort the records yourself`
    throw invalidParameter('sort', null, message)
  }
  return Array.from({ length: Math.ceil(distinct.length / MAX_BATCH_SIZE) }, (_, at) =>
    distinct.slice(at * MAX_BATCH_SIZE, (at + 1) * MAX_BATCH_SIZE),
  )
}

function invalidParameter(parameter: string, value: string | null, message: string): VisError {
  return new VisError({ code: 'INVALID_PARAMETER', message, parameter, value })
}

/** Merges responses as if one call had returned them. `total_requested` counts the caller's ids with duplicates. */
export function mergeBatches<Name extends Field>(batches: readonly Batch<Name>[], totalRequested: number): Batch<Name> {
  const filteredOut = batches.flatMap(({ filtered_out }) => filtered_out ?? [])
  const count = sum(batches.map((batch) => batch.count))
  // A response contains only the percentage of enriched CVEs. With at most 50 CVEs, rounding restores the exact number.
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
