// Determines which CVE ids each of NVD's year files may contain.
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import type { Delivery, Reading } from '../../feed.ts'
import { readNvdId } from './normalise.ts'

export const FIRST_YEAR = 2002

/** The variable part of the name of an NVD file: a year, `modified` or `recent`. */
export type FileKey = string

type Slice = NonNullable<Delivery<unknown>['slice']>

/** The file of 2002 also holds all earlier years. Returns undefined for `modified` and `recent`. */
export function toSlice(key: FileKey): Slice | undefined {
  if (!/^\d{4}$/.test(key)) return undefined
  const first = key === String(FIRST_YEAR) ? 'CVE-0000-0000' : `CVE-${key}-0000`
  return { first, last: `CVE-${key}-99999999999999` }
}

/** A CVE id of another year shows that the file is not what its name says. */
export async function* rejectOutsideSlice(
  readings: AsyncIterable<Reading<unknown>>,
  slice: Slice,
): AsyncGenerator<Reading<unknown>> {
  for await (const reading of readings) {
    const id = 'raw' in reading ? parseCanonicalCveId(readNvdId(reading.raw) ?? '') : undefined
    const isOutside = id !== undefined && (id < slice.first || id > slice.last)
    yield isOutside ? { rejected: id, reason: `its id does not belong in the file of ${formatYear(slice)}` } : reading
  }
}

function formatYear({ last }: Slice): string {
  return last.slice('CVE-'.length, 'CVE-2026'.length)
}
