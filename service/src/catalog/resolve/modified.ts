import { parseDate } from '../../domain/instant.ts'
import type { Statement } from '../model/claim.ts'
import type { Chosen, Said } from '../model/resolved.ts'
import type { Facts } from '../model/source-data.ts'
import { choose, compareText } from './precedence.ts'

/**
 * The newest date that an upstream gives (decision C11). Entries of KEV and notices count at their own dates; undated
 * records, EPSS and evidence of exploits do not count.
 */
export function resolveModified(statements: readonly Statement[], facts: Facts): Chosen<Date> {
  const dates = [...ofRecords(statements), ...ofKev(facts), ...ofNotices(facts)]
  const ordered = dates.sort((a, b) => b.value.getTime() - a.value.getTime() || compareText(a.by, b.by))
  // Every record that can be published has a date; this is for one that an upstream dated to the epoch itself.
  return choose(ordered) ?? { value: new Date(0), by: statements[0]?.speaker ?? 'kev', runnersUp: [] }
}

function ofRecords(statements: readonly Statement[]): readonly Said<Date>[] {
  return statements
    .filter(({ modified }) => modified.getTime() > 0)
    .map(({ modified, source, speaker }) => ({ value: modified, by: source === 'cve' ? source : speaker }))
}

function ofKev({ kev }: Facts): readonly Said<Date>[] {
  const added = kev === null ? undefined : parseDate(kev.dateAdded)
  return [added, kev?.removedAt].flatMap((date) => (date ? [{ value: date, by: 'kev' }] : []))
}

function ofNotices({ notices }: Facts): readonly Said<Date>[] {
  return notices
    .flatMap(({ published, updated }) => [published, updated])
    .flatMap((date) => (date === null ? [] : [{ value: date, by: 'acsc' }]))
}
