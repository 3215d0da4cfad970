// Reads SSVC assessments, which CISA writes into NVD (`technicalImpact`) and the CVE List (`Technical Impact`) with
// varying letter case.
import { formatDay, parseDate } from '../../../domain/instant.ts'
import type { Provider, Ssvc } from '../../model/claim.ts'
import { type JsonObject, objectsIn, textIn } from '../json.ts'

const EXPLOITATION: ReadonlyMap<string, NonNullable<Ssvc['exploitation']>> = new Map([
  ['none', 'none'],
  ['poc', 'poc'],
  ['public poc', 'poc'],
  ['active', 'active'],
])
const AUTOMATABLE: ReadonlyMap<string, NonNullable<Ssvc['automatable']>> = new Map([
  ['yes', 'yes'],
  ['no', 'no'],
])
const TECHNICAL_IMPACT: ReadonlyMap<string, NonNullable<Ssvc['technicalImpact']>> = new Map([
  ['partial', 'partial'],
  ['total', 'total'],
])

/** Returns undefined if there is no known value. `modified`: the record's last change. */
export function readSsvc(content: JsonObject, by: Provider, modified: Date): Ssvc | undefined {
  const options = objectsIn(content, 'options')
  const exploitation = findOption(options, 'exploitation', EXPLOITATION)
  const automatable = findOption(options, 'automatable', AUTOMATABLE)
  const technicalImpact = findOption(options, 'technicalimpact', TECHNICAL_IMPACT)
  if (exploitation === null && automatable === null && technicalImpact === null) return undefined
  return { by, date: readDay(textIn(content, 'timestamp'), modified), exploitation, automatable, technicalImpact }
}

function findOption<T>(options: readonly JsonObject[], name: string, values: ReadonlyMap<string, T>): T | null {
  for (const option of options) {
    const key = Object.keys(option).find((each) => each.toLowerCase().replaceAll(' ', '') === name)
    const value = key === undefined ? undefined : values.get(textIn(option, key)?.toLowerCase() ?? '')
    if (value !== undefined) return value
  }
  return null
}

/**
 * CISA adds assessments without changing the date of the record: in 598 of 62,862 records the assessment is newer,
 * usually by a day, sometimes by 40 days.
 */
const MAX_DELAY_MS = 365 * 24 * 60 * 60 * 1000

/**
 * A day in the future would keep an assessment the newest forever, so a day that is much later than the record's is
 * replaced by the record's (decision C22).
 */
function readDay(timestamp: string | null, modified: Date): string | null {
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(timestamp ?? '')?.[0]
  const date = day === undefined ? undefined : parseDate(day)
  if (date === undefined) return null
  const isLate = modified.getTime() > 0 && date.getTime() > modified.getTime() + MAX_DELAY_MS
  return formatDay(isLate ? modified : date)
}
