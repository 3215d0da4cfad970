// Determines the time of a CVE's last content change.
import { formatInstant, UNDATED } from '../../domain/instant.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import type { Claim, Provider } from '../model/claim.ts'
import type { Attributed, Chosen } from '../model/resolved.ts'
import type { SourceData } from '../model/source-data.ts'
import { CISA_KEV } from '../sources/kev.ts'
import { choose, compareText } from './precedence.ts'

/**
 * Returns the newest upstream date (decision C11), including KEV entries and ACSC notices, but not EPSS scores and
 * exploit items.
 */
export function resolveModified(claims: readonly Claim[], sourceData: SourceData): Chosen<Date> {
  const dates = [...listRecordDates(claims), ...listRemovalDates(sourceData), ...listNoticeDates(sourceData)]
  return chooseNewest(dates) ?? deriveTime(claims)
}

function chooseNewest(dates: readonly Attributed<Date>[]): Chosen<Date> | null {
  return choose(dates.toSorted((a, b) => b.value.getTime() - a.value.getTime() || compareText(a.by, b.by)))
}

/** Without a dated record, the earliest publication date is the best that is known (decision E32). */
function deriveTime(claims: readonly Claim[]): Chosen<Date> {
  const published = claims.flatMap((claim) => claim.published?.getTime() ?? [])
  const time = published.length === 0 ? UNDATED : new Date(Math.min(...published))
  return { value: time, by: RULES, time: null, runnersUp: [] }
}

function listRecordDates(claims: readonly Claim[]): readonly Attributed<Date>[] {
  return claims
    .filter(({ modified }) => modified > UNDATED)
    .map(({ modified, source, provider }) => attributeDate(modified, source === 'cve' ? source : provider))
}

/** The date itself is the time of the statement. */
function attributeDate(value: Date, by: Provider): Attributed<Date> {
  return { value, by, time: formatInstant(value) }
}

/** An entry that CISA removed has no claim, so its removal date is added here. */
function listRemovalDates({ kev }: SourceData): readonly Attributed<Date>[] {
  return kev === null || kev.removedAt === null ? [] : [attributeDate(kev.removedAt, CISA_KEV)]
}

function listNoticeDates({ notices }: SourceData): readonly Attributed<Date>[] {
  return notices
    .flatMap(({ published, updated }) => [published, updated])
    .flatMap((date) => (date === null ? [] : [attributeDate(date, 'acsc')]))
}
