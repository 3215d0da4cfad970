// Reads SSVC assessments. CISA writes them into NVD (`technicalImpact`) and the CVE List (`Technical Impact`) with
// varying letter case.
import type { Provider, Ssvc } from '../model/claim.ts'
import { type JsonObject, objectsIn, textIn } from './json.ts'

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

/** Returns undefined for an assessment without any known value. */
export function readSsvc(content: JsonObject, by: Provider): Ssvc | undefined {
  const options = objectsIn(content, 'options')
  const exploitation = findOption(options, 'exploitation', EXPLOITATION)
  const automatable = findOption(options, 'automatable', AUTOMATABLE)
  const technicalImpact = findOption(options, 'technicalimpact', TECHNICAL_IMPACT)
  if (exploitation === null && automatable === null && technicalImpact === null) return undefined
  return { by, date: readDay(textIn(content, 'timestamp')), exploitation, automatable, technicalImpact }
}

function findOption<T>(options: readonly JsonObject[], name: string, values: ReadonlyMap<string, T>): T | null {
  for (const option of options) {
    const key = Object.keys(option).find((each) => each.toLowerCase().replaceAll(' ', '') === name)
    const value = key === undefined ? undefined : values.get(textIn(option, key)?.toLowerCase() ?? '')
    if (value !== undefined) return value
  }
  return null
}

function readDay(timestamp: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(timestamp ?? '')?.[0] ?? null
}
