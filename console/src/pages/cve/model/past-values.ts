// The main values of a record on an earlier day, compared with today's.
import type { Cve } from 'vis-sdk'
import { PRIORITY_WORDS } from 'vis-sdk/vocabulary'
import { formatDay, formatNumber, formatProbability, formatScore } from '../../../text/format.ts'
import { findScoreVersion, toSeverityLevel } from '../../../text/severity.ts'
import { describeMaturity } from './timeline.ts'

export interface PastValue {
  readonly label: string
  readonly past: string
  readonly current: string
  readonly isDifferent: boolean
}

const NONE = 'none'

/** Values with their formatting, in page order. */
const VALUES: readonly (readonly [label: string, describe: (cve: Cve) => string])[] = [
  ['Priority', ({ priority }) => (priority?.level ? `${priority.level} ${PRIORITY_WORDS[priority.level]}` : NONE)],
  ['Base score', describeScore],
  ["NVD's status", ({ status }) => status],
  ['KEV', ({ kev }) => (kev ? `since ${kev.dateAdded}` : 'not listed')],
  ['KEV due date', ({ kev }) => kev?.dueDate ?? NONE],
  ['Used by ransomware', ({ kev }) => (kev?.knownRansomware ? 'known' : 'not known')],
  ['EPSS', ({ epss }) => (epss ? `${formatProbability(epss.score)} (${epss.date})` : NONE)],
  ['Exploit maturity', ({ exploits }) => describeMaturity(exploits?.maturity ?? 'none')],
  ['Fix named', ({ enrichment }) => (enrichment?.patch_available ? 'yes' : 'no')],
  ['Weaknesses', ({ enrichment }) => enrichment?.cwe_list.join(', ') || NONE],
  ['CPE names', ({ cpe }) => formatNumber(cpe.length)],
  ['References', ({ references }) => formatNumber(references.length)],
  ['ACSC notices', ({ acsc }) => formatNumber(acsc?.length ?? 0)],
  ['Modified', ({ modified }) => (modified ? formatDay(modified) : NONE)],
]

export function comparePast(past: Cve, current: Cve): readonly PastValue[] {
  const values = VALUES.map(([label, describe]) => ({ label, past: describe(past), current: describe(current) }))
  return [...values, compareDescription(past, current)].map((value) => ({
    ...value,
    isDifferent: value.past !== value.current,
  }))
}

function describeScore({ severity, cvss }: Cve): string {
  return severity === null ? NONE : `${formatScore(severity)} ${toSeverityLevel(severity, findScoreVersion(cvss))}`
}

/** A description is too long for the table, so only whether it differed is shown. */
function compareDescription({ description: past }: Cve, { description: current }: Cve) {
  const describe = (text: string | null) => (text === null ? NONE : text === current ? 'as today' : 'another text')
  return { label: 'Description', past: describe(past), current: describe(current) }
}

/** Says how many values were different. */
export function summarizePast(values: readonly PastValue[]): string {
  const count = values.filter(({ isDifferent }) => isDifferent).length
  if (count === 0) return 'All values below are the same as today.'
  return `${count} of ${values.length} values were different from today.`
}
