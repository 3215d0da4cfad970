// The four gauges of the verdict: exploitation, exploit code, EPSS, and severity with what an attacker needs.
import type { Cve } from 'vis-sdk'
import { EXPLOIT_MATURITY_WORDS } from 'vis-sdk/vocabulary'
import { formatDate } from '../date-words.ts'
import { capitalise, formatEpss, formatNumber, formatProbability, formatScore } from '../format.ts'
import { toSeverityLevel } from '../severity.ts'
import type { VerdictFacts } from './facts.ts'
import { listRatingStatements, listRatings } from './ratings.ts'

export type GaugeTone = 'critical' | 'high' | 'neutral'

export interface Gauge {
  readonly label: string
  readonly value: string
  readonly note: string
  readonly tone: GaugeTone
}

export function describeExploitation({ exploitation: found, removedFromKev }: VerdictFacts): Gauge {
  const label = 'Exploited'
  switch (found.kind) {
    case 'listed':
      return {
        label,
        value: found.hasRansomware ? 'Yes, with ransomware' : 'Yes',
        note: [
          found.cisa === undefined ? 'Not in CISA KEV' : `CISA KEV since ${formatDate(found.cisa)}`,
          found.eu === undefined ? 'not in EU KEV' : `EU KEV, report of ${formatDate(found.eu)}`,
        ].join('; '),
        tone: 'critical',
      }
    case 'reported':
      return {
        label,
        value: 'Reported',
        note: `by ${found.by.join(', ') || 'a source'}; in no catalog`,
        tone: 'critical',
      }
    case 'exploit':
    case 'none':
      return {
        label,
        value: 'Not reported',
        note:
          removedFromKev === undefined
            ? 'In no catalog of exploited CVEs'
            : `CISA KEV removed it on ${formatDate(removedFromKev)}`,
        tone: 'neutral',
      }
    case 'unknown':
      return { label, value: 'Not known', note: 'The record has no evidence', tone: 'neutral' }
  }
}

const KIND_WORDS = {
  metasploit: 'Metasploit',
  nuclei: 'Nuclei',
  exploitdb: 'Exploit-DB',
} as const

/** How ready the exploit code is: 0 to 3 segments of a bar. */
const READINESS = { weaponized: 3, functional: 2, poc: 1 } as const

export interface ToolGauge extends Gauge {
  /** Filled segments of 3. */
  readonly filled: number
}

/** Exploit code alone: attacks are the subject of the first gauge. */
export function describeTools({ exploits }: Pick<Cve, 'exploits'>): ToolGauge {
  const label = 'Exploit code'
  if (exploits === undefined)
    return { label, value: 'Not known', note: 'The record has no evidence', tone: 'neutral', filled: 0 }
  const evidence = exploits.evidence.filter(({ kind, gone }) => gone !== true && kind !== 'kev' && kind !== 'vendor')
  const shown = (Object.keys(READINESS) as (keyof typeof READINESS)[]).find((maturity) =>
    evidence.some((each) => each.maturity === maturity),
  )
  const repositories = exploits.counts.repository ?? 0
  const names = [
    ...Object.entries(KIND_WORDS).flatMap(([kind, words]) =>
      evidence.some((each) => each.kind === kind) ? words : [],
    ),
    ...(repositories > 0
      ? [`${formatNumber(repositories)} ${repositories === 1 ? 'repository' : 'repositories'}`]
      : []),
  ]
  if (shown === undefined)
    return { label, value: 'None known', note: 'No loaded source names any', tone: 'neutral', filled: 0 }
  const checked = exploits.verified === false ? '; checked by nobody' : ''
  return {
    label,
    value: shown === 'weaponized' ? 'Ready to use' : capitalise(EXPLOIT_MATURITY_WORDS[shown]),
    note: `${names.join(', ') || 'Reported by a source'}${checked}`,
    tone: shown === 'poc' ? 'neutral' : 'high',
    filled: READINESS[shown],
  }
}

/** `isLoaded` is false if no EPSS score was ever stored, so that an absent score says nothing about the CVE. */
export function describeEpss({ epss }: Pick<Cve, 'epss'>, isLoaded: boolean): Gauge {
  const label = 'EPSS, next 30 days'
  if (!epss)
    return { label, value: '–', note: isLoaded ? 'EPSS has no estimate' : 'EPSS was never loaded', tone: 'neutral' }
  return {
    label,
    value: formatEpss(epss.score),
    note: `${describeRank(epss.percentile)}; ${formatDate(epss.date)}`,
    tone: epss.score >= 0.5 ? 'critical' : epss.score >= 0.1 ? 'high' : 'neutral',
  }
}

function describeRank(percentile: number): string {
  if (percentile >= 0.999) return 'Higher than all but a few CVEs'
  return `Higher than ${formatProbability(percentile)} of CVEs`
}

export interface SeverityGauge extends Gauge {
  /** Position on the scale from 0 to 10; undefined without a score. */
  readonly score: number | undefined
}

const PLACE_WORDS = {
  network: 'network',
  adjacent: 'neighbouring network',
  local: 'local access',
  physical: 'physical access',
} as const

const LOGIN_WORDS = {
  none: 'no login',
  ordinary: 'ordinary login',
  administrator: 'administrator login',
  several: 'several logins',
} as const

export function describeSeverity(cve: Cve, { attack }: VerdictFacts): SeverityGauge {
  const [rating] = listRatings(cve)
  if (rating === undefined)
    return {
      label: 'Severity',
      value: 'No score',
      note: 'No loaded source gives a CVSS score',
      tone: 'neutral',
      score: undefined,
    }
  const level = toSeverityLevel(rating.score, rating.version)
  const needs = attack && [
    PLACE_WORDS[attack.place],
    LOGIN_WORDS[attack.login],
    attack.needsUser ? 'with a user' : 'no user action',
  ]
  return {
    label: `CVSS ${rating.version}, ${describeAgreement(cve, rating.version)}`,
    value: `${formatScore(rating.score)} ${level}`,
    note: needs ? capitalise(needs.join(', ')) : 'The vector cannot be read',
    tone: level === 'critical' ? 'critical' : level === 'high' ? 'high' : 'neutral',
    score: rating.score,
  }
}

function describeAgreement(cve: Cve, version: string): string {
  const statements = listRatingStatements(cve).filter((each) => each.version === version)
  const sources = new Set(statements.map(({ source }) => source)).size
  if (sources < 2) return '1 source'
  return statements.every(({ agrees }) => agrees) ? `${sources} sources agree` : `${sources} sources differ`
}
