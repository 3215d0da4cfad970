// The column "Why this priority": a few words for the facts that decide the level, then the API's sentences.
import { capitalise, formatProbability, formatScore } from '../../text/format.ts'
import { isUsedByRansomware } from './exploitation.ts'
import type { Row } from './row.ts'

/**
 * Lists the policy's facts that apply to a CVE, in the order of the API's sentences, and short enough for two lines to
 * show them all. Returns none for a CVE without a level, such as a rejected one.
 */
export function listDecidingFacts(row: Row): readonly string[] {
  const { priority, kev, epss, severity } = row
  const ssvc = priority?.ssvc
  if (!ssvc) return []
  const isExploited = ssvc.exploitation === 'active'
  const isRansomware = isUsedByRansomware(row)
  return [
    ...(isRansomware ? ['ransomware known'] : []),
    ...(isExploited ? [kev ? 'in KEV' : nameReport(ssvc.value_sources.exploitation)] : []),
    ...(ssvc.automatable === 'yes' ? ['automatable'] : []),
    ...(ssvc.technical_impact === 'total' ? ['total control'] : []),
    // Unknown values decide the level only for an exploited CVE without ransomware.
    ...(isExploited && !isRansomware ? describeAssumptions(ssvc) : []),
    ...(ssvc.exploitation === 'poc' ? ['public exploit'] : []),
    epss ? `EPSS ${formatProbability(epss.score)}` : 'no EPSS score',
    ...(!isExploited && typeof severity === 'number' ? [`CVSS ${formatScore(severity)}`] : []),
  ]
}

function nameReport(source: string): string {
  return source === EU_KEV ? 'in EU KEV' : 'reported as exploited'
}

const EU_KEV = 'eu-kev'

type Ssvc = NonNullable<NonNullable<Row['priority']>['ssvc']>

function describeAssumptions({ automatable, technical_impact }: Ssvc): readonly string[] {
  const assumed = [
    ...(automatable === null ? ['automatable'] : []),
    ...(technical_impact === null ? ['total control'] : []),
  ]
  return assumed.length === 0 ? [] : [`${assumed.join(' and ')} assumed`]
}

/** Joins facts into one line with a capital letter: "Ransomware known · in KEV". */
export function joinFacts(facts: readonly string[]): string {
  return capitalise(facts.join(' · '))
}
