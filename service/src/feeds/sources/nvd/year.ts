// NVD's files by their names, and which ids each of them may speak of.
import { parseCanonicalCveId } from '../../../domain/cve-id.ts'
import type { Delivery, Reading } from '../../feed.ts'
import { nvdIdOf } from './normalise.ts'

export const FIRST_YEAR = 2002

/** As the file's name has it: a year, `modified` or `recent`. */
export type FileKey = string

type Slice = NonNullable<Delivery<unknown>['slice']>

/** The ids of a year; the first file holds all that came before as well. */
export function sliceOf(key: FileKey): Slice | undefined {
  if (!/^\d{4}$/.test(key)) return undefined
  const first = key === String(FIRST_YEAR) ? 'CVE-0000-0000' : `CVE-${key}-0000`
  return { first, last: `CVE-${key}-99999999999999` }
}

/** An id under the wrong year shows that the file is not what it is called. */
export async function* withinSlice(
  readings: AsyncIterable<Reading<unknown>>,
  slice: Slice,
): AsyncGenerator<Reading<unknown>> {
  for await (const reading of readings) {
    const id = 'raw' in reading ? parseCanonicalCveId(nvdIdOf(reading.raw) ?? '') : undefined
    const isStranger = id !== undefined && (id < slice.first || id > slice.last)
    yield isStranger
      ? { rejected: id, reason: `its id belongs in the file of another year than ${yearOf(slice)}` }
      : reading
  }
}

function yearOf({ last }: Slice): string {
  return last.slice('CVE-'.length, 'CVE-2026'.length)
}
