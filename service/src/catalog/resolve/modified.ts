// Resolves the `modified` time of a CVE, the time of its last content change.
import { parseDate } from '../../domain/instant.ts'
import type { Claim } from '../model/claim.ts'
import type { Attributed, Chosen } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { choose, compareText } from './precedence.ts'

/**
 * Takes the newest date that any upstream gives for the CVE (decision C11). KEV entries and ACSC notices count with
 * their own dates. Undated records, EPSS scores and exploit items do not count.
 */
export function resolveModified(claims: readonly Claim[], sourceData: SourceData): Chosen<Date> {
  const dates = [...listRecordDates(claims), ...listKevDates(sourceData), ...listNoticeDates(sourceData)]
  const ordered = dates.sort((a, b) => b.value.getTime() - a.value.getTime() || compareText(a.by, b.by))
  // Fallback for a CVE whose records all have no date or the Unix epoch as their date. Every other published CVE has a
  // real date.
  return choose(ordered) ?? { value: new Date(0), by: claims[0]?.provider ?? 'kev', runnersUp: [] }
}

function listRecordDates(claims: readonly Claim[]): readonly Attributed<Date>[] {
  return claims
    .filter(({ modified }) => modified.getTime() > 0)
    .map(({ modified, source, provider }) => ({ value: modified, by: source === 'cve' ? source : provider }))
}

function listKevDates({ kev }: SourceData): readonly Attributed<Date>[] {
  const added = kev === null ? undefined : parseDate(kev.dateAdded)
  return [added, kev?.removedAt].flatMap((date) => (date ? [{ value: date, by: 'kev' }] : []))
}

function listNoticeDates({ notices }: SourceData): readonly Attributed<Date>[] {
  return notices
    .flatMap(({ published, updated }) => [published, updated])
    .flatMap((date) => (date === null ? [] : [{ value: date, by: 'acsc' }]))
}
