// The main values of a record on an earlier day, compared with today's.
import type { Cve, CveAsOf } from 'vis-sdk'
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

type PastCve = CveAsOf['record']

const NONE = 'none'
const NOT_KNOWN = 'not known for that day'

/** Values with the member, or the part of one, that they show, and their formatting, in page order. */
const VALUES: readonly (readonly [label: string, member: string, describe: (cve: PastCve) => string])[] = [
  [
    'Priority',
    'priority',
    ({ priority }) => (priority?.level ? `${priority.level} ${PRIORITY_WORDS[priority.level]}` : NONE),
  ],
  ['Base score', 'severity', describeScore],
  ["NVD's status", 'status', ({ status }) => status ?? NONE],
  ['KEV', 'kev.dateAdded', ({ kev }) => (kev ? `since ${kev.dateAdded}` : 'not listed')],
  ['KEV due date', 'kev.dueDate', ({ kev }) => kev?.dueDate ?? NONE],
  ['Used by ransomware', 'kev.knownRansomware', ({ kev }) => (kev?.knownRansomware ? 'known' : 'not known')],
  ['EPSS', 'epss.score', ({ epss }) => (epss?.score === undefined ? NONE : describeEpss(epss.score, epss.date))],
  ['Exploit maturity', 'exploits', ({ exploits }) => describeMaturity(exploits?.maturity ?? 'none')],
  ['Fix named', 'enrichment.patch_available', ({ enrichment }) => (enrichment?.patch_available ? 'yes' : 'no')],
  ['Weaknesses', 'enrichment.cwe_list', ({ enrichment }) => enrichment?.cwe_list?.join(', ') || NONE],
  ['CPE names', 'cpe', ({ cpe = [] }) => formatNumber(cpe.length)],
  ['References', 'references', ({ references = [] }) => formatNumber(references.length)],
  ['ACSC notices', 'acsc', ({ acsc }) => formatNumber(acsc?.length ?? 0)],
  ['Modified', 'modified', ({ modified }) => (modified ? formatDay(modified) : NONE)],
]

/** A value that is not known for the day counts as neither the same nor different. */
export function comparePast(
  { record, unknown }: Pick<CveAsOf, 'record' | 'unknown'>,
  current: Cve,
): readonly PastValue[] {
  const isKnown = (member: string) => !unknown.includes(member) && !unknown.includes(member.split('.', 1).join())
  const values = VALUES.map(([label, member, describe]) => ({
    label,
    isKnown: isKnown(member),
    past: isKnown(member) ? describe(record) : NOT_KNOWN,
    current: describe(current),
  }))
  const description = { ...compareDescription(record, current), isKnown: isKnown('description') }
  return [...values, description].map(({ label, isKnown: known, past, current: now }) => ({
    label,
    past: known ? past : NOT_KNOWN,
    current: now,
    isDifferent: known && past !== now,
  }))
}

const describeEpss = (score: number, date: string | undefined) => `${formatProbability(score)} (${date})`

function describeScore({ severity = null, cvss }: PastCve): string {
  if (severity === null) return NONE
  return `${formatScore(severity)} ${toSeverityLevel(severity, cvss && findScoreVersion(cvss))}`
}

/** A description is too long for the table, so only whether it differed is shown. */
function compareDescription({ description: past = null }: PastCve, { description: current }: Cve) {
  const describe = (text: string | null) => (text === null ? NONE : text === current ? 'as today' : 'another text')
  return { label: 'Description', past: describe(past), current: describe(current) }
}

/** Says how many values were different, and how many are not known. */
export function summarizePast(values: readonly PastValue[]): string {
  const unknown = values.filter(({ past }) => past === NOT_KNOWN).length
  const suffix = unknown === 0 ? '' : ` ${unknown} are not known for that day.`
  const count = values.filter(({ isDifferent }) => isDifferent).length
  if (count > 0) return `${count} of ${values.length} values were different from today.${suffix}`
  return unknown === 0 ? 'All values below are the same as today.' : `No known value was different from today.${suffix}`
}
