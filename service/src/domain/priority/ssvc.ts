// CISA's SSVC coordinator tree (version 2.0.3).
import type { CvssVector } from '../cvss/cvss-vector.ts'
import {
  AUTOMATABLES,
  type Automatable,
  CISA_ADP,
  type DecisionFacts,
  EXPLOITATIONS,
  type Exploitation,
  isExploited,
  type Sourced,
  TECHNICAL_IMPACTS,
  type TechnicalImpact,
} from './facts.ts'

export const SSVC_TREE = 'cisa-coordinator-2.0.3'

/** Effect on the owner's mission and on well-being. No source states it. */
export const MISSIONS = ['low', 'medium', 'high'] as const

export type Mission = (typeof MISSIONS)[number]

/** Applies unless a caller states the mission. */
export const DEFAULT_MISSION: Mission = 'medium'

export const SSVC_DECISIONS = ['track', 'track*', 'attend', 'act'] as const

export type SsvcDecision = (typeof SSVC_DECISIONS)[number]

type ByMission = readonly [low: SsvcDecision, medium: SsvcDecision, high: SsvcDecision]

type Tree = Readonly<Record<Exploitation, Record<Automatable, Record<TechnicalImpact, ByMission>>>>

const TREE: Tree = {
  none: {
    no: { partial: ['track', 'track', 'track'], total: ['track', 'track', 'track*'] },
    yes: { partial: ['track', 'track', 'attend'], total: ['track', 'track', 'attend'] },
  },
  poc: {
    no: { partial: ['track', 'track', 'track*'], total: ['track', 'track*', 'attend'] },
    yes: { partial: ['track', 'track', 'attend'], total: ['track', 'track*', 'attend'] },
  },
  active: {
    no: { partial: ['track', 'track', 'attend'], total: ['track', 'attend', 'act'] },
    yes: { partial: ['attend', 'attend', 'act'], total: ['attend', 'act', 'act'] },
  },
}

export interface SsvcValues {
  readonly exploitation: Exploitation
  readonly automatable: Automatable
  readonly technicalImpact: TechnicalImpact
}

export function decide({ exploitation, automatable, technicalImpact }: SsvcValues, mission: Mission): SsvcDecision {
  const [low, medium, high] = TREE[exploitation][automatable][technicalImpact]
  return { low, medium, high }[mission]
}

/**
 * A KEV catalog takes precedence, because CISA does not always raise its SSVC assessment when a CVE is added to KEV.
 * Known exploits count as a proof of concept if no assessment names one.
 */
export function findExploitation(facts: DecisionFacts): Sourced<Exploitation> {
  const [report] = facts.activeReports
  if (facts.kev) return { value: 'active', source: 'kev' }
  if (facts.euKev) return { value: 'active', source: 'eu-kev' }
  if (report) return { value: 'active', source: report.by }
  if (facts.cisaExploitation === 'poc') return { value: 'poc', source: CISA_ADP }
  if (facts.hasPublicExploit) return { value: 'poc', source: 'derived:exploits' }
  return facts.cisaExploitation === null
    ? { value: 'none', source: 'derived:exploits' }
    : { value: 'none', source: CISA_ADP }
}

/** An unknown value counts as the worse one only for an exploited CVE. */
export function toSsvcValues(facts: DecisionFacts): SsvcValues {
  const exploited = isExploited(facts)
  return {
    exploitation: findExploitation(facts).value,
    automatable: facts.automatable?.value ?? (exploited ? 'yes' : 'no'),
    technicalImpact: facts.technicalImpact?.value ?? (exploited ? 'total' : 'partial'),
  }
}

/** An attack is automatable over the network without special conditions, privileges or user interaction. */
export function deriveAutomatable(vector: CvssVector): Automatable {
  return isAutomatable(vector) ? 'yes' : 'no'
}

function isAutomatable(vector: CvssVector): boolean {
  const { AV, AC } = vector.metrics
  if (AV !== 'N' || AC !== 'L') return false
  if (vector.version === '2.0') return vector.metrics.Au === 'N'
  if (vector.metrics.PR !== 'N' || vector.metrics.UI !== 'N') return false
  return vector.version !== '4.0' || vector.metrics.AT === 'N'
}

/** The impact is total if confidentiality and integrity are lost completely. */
export function deriveTechnicalImpact(vector: CvssVector): TechnicalImpact {
  return isTotal(vector) ? 'total' : 'partial'
}

function isTotal(vector: CvssVector): boolean {
  switch (vector.version) {
    case '2.0':
      return vector.metrics.C === 'C' && vector.metrics.I === 'C'
    case '4.0':
      return vector.metrics.VC === 'H' && vector.metrics.VI === 'H'
    default:
      return vector.metrics.C === 'H' && vector.metrics.I === 'H'
  }
}

/** Values as stated or derived; null if unknown. */
interface StatedSsvc {
  readonly exploitation: Exploitation
  readonly automatable: Automatable | null
  readonly technicalImpact: TechnicalImpact | null
}

/** Returns the value of the column `ssvc` in catalog.cve, or null for a rejected CVE. */
export function packSsvc(facts: DecisionFacts): number | null {
  if (facts.isRejected) return null
  return pack({
    exploitation: findExploitation(facts).value,
    automatable: facts.automatable?.value ?? null,
    technicalImpact: facts.technicalImpact?.value ?? null,
  })
}

/** Lists the values of the column `ssvc` in catalog.cve that satisfy the condition. */
export function listPackedSsvc(matches: (values: StatedSsvc) => boolean): readonly number[] {
  const all = EXPLOITATIONS.flatMap((exploitation) =>
    [null, ...AUTOMATABLES].flatMap((automatable) =>
      [null, ...TECHNICAL_IMPACTS].map((technicalImpact) => ({ exploitation, automatable, technicalImpact })),
    ),
  )
  return all.filter(matches).map(pack)
}

/** Computes exploitation × 9 + automatable × 3 + technical impact, each 0 if unknown. */
function pack({ exploitation, automatable, technicalImpact }: StatedSsvc): number {
  return (
    EXPLOITATIONS.indexOf(exploitation) * 9 +
    (automatable === null ? 0 : AUTOMATABLES.indexOf(automatable) + 1) * 3 +
    (technicalImpact === null ? 0 : TECHNICAL_IMPACTS.indexOf(technicalImpact) + 1)
  )
}
