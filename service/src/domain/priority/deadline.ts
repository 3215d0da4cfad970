// Deadlines under CISA's directive BOD 26-04 (decision E22), from CISA's own inputs only; derived values give an
// estimate instead.
import { addDays } from '../epss-series/days.ts'
import { type Automatable, CISA_ADP, type DecisionFacts, type Sourced, type TechnicalImpact } from './facts.ts'

export const DEADLINE_RULE = 'bod-26-04'

/** KEV entries from before this day follow an earlier directive and have their own due dates. */
export const DIRECTIVE_DAY = '2026-06-10'

/** Whether the system can be reached from the internet. */
export const EXPOSURES = ['exposed', 'internal'] as const

export type KnownExposure = (typeof EXPOSURES)[number]

export interface Remediation {
  /** Counted from the addition to KEV or from detection; null means at the system's next upgrade. */
  readonly days: number | null
  readonly forensic_triage: boolean
}

const AT_UPGRADE: Remediation = { days: null, forensic_triage: false }
const DAYS_60: Remediation = { days: 60, forensic_triage: false }
const DAYS_14: Remediation = { days: 14, forensic_triage: false }
const DAYS_3: Remediation = { days: 3, forensic_triage: false }
const DAYS_3_AND_TRIAGE: Remediation = { days: 3, forensic_triage: true }

type Timelines = Readonly<
  Record<'in_kev' | 'not_in_kev', Record<KnownExposure, Record<Automatable, Record<TechnicalImpact, Remediation>>>>
>

const TIMELINES: Timelines = {
  not_in_kev: {
    internal: {
      no: { partial: AT_UPGRADE, total: AT_UPGRADE },
      yes: { partial: DAYS_60, total: DAYS_60 },
    },
    exposed: {
      no: { partial: DAYS_60, total: DAYS_14 },
      yes: { partial: DAYS_14, total: DAYS_3 },
    },
  },
  in_kev: {
    internal: {
      no: { partial: DAYS_14, total: DAYS_14 },
      yes: { partial: DAYS_14, total: DAYS_3_AND_TRIAGE },
    },
    exposed: {
      no: { partial: DAYS_14, total: DAYS_3_AND_TRIAGE },
      yes: { partial: DAYS_3, total: DAYS_3_AND_TRIAGE },
    },
  },
}

export interface TimelineInputs {
  readonly isInKev: boolean
  readonly exposure: KnownExposure
  readonly automatable: Automatable
  readonly technicalImpact: TechnicalImpact
}

export function findTimeline({ isInKev, exposure, automatable, technicalImpact }: TimelineInputs): Remediation {
  return TIMELINES[isInKev ? 'in_kev' : 'not_in_kev'][exposure][automatable][technicalImpact]
}

/** Only KEV entries added since the directive have a date: other deadlines run from when each owner detects the CVE. */
interface DatedRemediation extends Remediation {
  readonly due_date?: string
}

type ByExposure<T> = { readonly [E in KnownExposure]?: T }

/** `exposed` and `internal` are absent if CISA's inputs are incomplete. */
export interface Deadline extends ByExposure<DatedRemediation> {
  readonly rule: typeof DEADLINE_RULE
  readonly inputs: 'cisa' | 'incomplete'
  readonly counted_from: 'kev_added_or_detection'
  /**
   * Whether KEV's due date is the directive's date for an exposed or an internal system; null if the CVE is not in KEV,
   * was added before the directive, or has incomplete inputs.
   */
  readonly kev_due_agrees: boolean | null
}

/** Our estimate if CISA's inputs are incomplete, with the source of each value. */
export interface DeadlineEstimate extends ByExposure<Remediation> {
  readonly value_sources: { readonly automatable: string; readonly technical_impact: string }
}

type Facts = Pick<DecisionFacts, 'kev' | 'automatable' | 'technicalImpact'>

export function findDeadline(facts: Facts, exposures: readonly KnownExposure[] = EXPOSURES): Deadline {
  const values = findValues(facts)
  const base = { rule: DEADLINE_RULE, counted_from: 'kev_added_or_detection' } as const
  if (!values || !isFromCisa(values)) return { ...base, inputs: 'incomplete', kev_due_agrees: null }
  const byExposure = mapExposures(exposures, (exposure) => addDueDate(findFor(facts, values, exposure), facts.kev))
  return { ...base, inputs: 'cisa', ...byExposure, kev_due_agrees: compareDueDate(facts, values) }
}

/** Returns null if a value is unknown or if CISA states both values. */
export function estimateDeadline(
  facts: Facts,
  exposures: readonly KnownExposure[] = EXPOSURES,
): DeadlineEstimate | null {
  const values = findValues(facts)
  if (!values || isFromCisa(values)) return null
  return {
    ...mapExposures(exposures, (exposure) => findFor(facts, values, exposure)),
    value_sources: { automatable: values.automatable.source, technical_impact: values.technicalImpact.source },
  }
}

interface Values {
  readonly automatable: Sourced<Automatable>
  readonly technicalImpact: Sourced<TechnicalImpact>
}

function findValues({ automatable, technicalImpact }: Facts): Values | undefined {
  return automatable && technicalImpact ? { automatable, technicalImpact } : undefined
}

function isFromCisa({ automatable, technicalImpact }: Values): boolean {
  return automatable.source === CISA_ADP && technicalImpact.source === CISA_ADP
}

function findFor({ kev }: Facts, { automatable, technicalImpact }: Values, exposure: KnownExposure): Remediation {
  return findTimeline({
    isInKev: kev !== null,
    exposure,
    automatable: automatable.value,
    technicalImpact: technicalImpact.value,
  })
}

function mapExposures<T>(exposures: readonly KnownExposure[], find: (exposure: KnownExposure) => T): ByExposure<T> {
  return Object.fromEntries(exposures.map((exposure) => [exposure, find(exposure)]))
}

function addDueDate(remediation: Remediation, kev: Facts['kev']): DatedRemediation {
  if (kev === null || kev.since < DIRECTIVE_DAY || remediation.days === null) return remediation
  return { ...remediation, due_date: addDays(kev.since, remediation.days) }
}

function compareDueDate(facts: Facts, values: Values): boolean | null {
  const { kev } = facts
  if (kev === null || kev.dueDate === null || kev.since < DIRECTIVE_DAY) return null
  return EXPOSURES.some((exposure) => addDueDate(findFor(facts, values, exposure), kev).due_date === kev.dueDate)
}
