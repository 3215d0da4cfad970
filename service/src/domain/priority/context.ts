// Facts that a caller states about the affected system can move the level.
import type { KnownExposure } from './deadline.ts'
import { LEVELS, type Level, type PolicyInputs, RATED_LEVELS, UNRATED } from './policy.ts'
import { DEFAULT_MISSION, type Mission } from './ssvc.ts'

/** Whether the system can be reached from the internet. */
export const CONTEXT_EXPOSURES = ['exposed', 'internal', 'unknown'] as const

export type Exposure = KnownExposure | 'unknown'

export interface PriorityContext {
  readonly exposure: Exposure
  readonly mission: Mission
}

export const DEFAULT_CONTEXT: PriorityContext = { exposure: 'unknown', mission: DEFAULT_MISSION }

export interface MovedLevel {
  readonly level: Level
  /** Null if the context did not move the level. */
  readonly reason: string | null
}

export const CONTEXT_RULES = [
  {
    exposure: 'exposed',
    text: 'An exposed system and a CVE with a public exploit, automatable and with total technical impact: at least P1.',
  },
  { exposure: 'internal', text: 'An internal system and a CVE that is not exploited: one level lower, at most P4.' },
] as const satisfies readonly { readonly exposure: KnownExposure; readonly text: string }[]

export function moveLevel(level: Level, inputs: PolicyInputs, exposure: Exposure): MovedLevel {
  if (exposure === 'exposed' && isAtRiskIfExposed(inputs) && LEVELS.indexOf(level) > LEVELS.indexOf('P1'))
    return {
      level: 'P1',
      reason:
        'Raised: the system is exposed, and an attack with a public exploit can be automated and gives total control.',
    }
  if (level === UNRATED) return { level, reason: null }
  const lower = RATED_LEVELS[RATED_LEVELS.indexOf(level) + 1]
  if (exposure === 'internal' && !inputs.isExploited && lower !== undefined)
    return { level: lower, reason: 'Lowered: the system is internal, and no source reports that the CVE is exploited.' }
  return { level, reason: null }
}

function isAtRiskIfExposed({ hasPublicExploit, isAutomatable, isTotal }: PolicyInputs): boolean {
  return hasPublicExploit && isAutomatable && isTotal
}
