// Texts of the verdict: the values of CISA's decision tree and the deadlines in its directive.
import type { Cve, Priority } from 'vis-sdk'
import { SSVC_AUTOMATABLE_WORDS, SSVC_EXPLOITATION_WORDS, SSVC_IMPACT_WORDS } from 'vis-sdk/vocabulary'
import { capitalise } from '../../../text/format.ts'

type Ssvc = NonNullable<Priority['ssvc']>
type SsvcInput = 'exploitation' | 'automatable' | 'technical_impact'

interface VerdictInput {
  readonly name: SsvcInput
  readonly label: string
  readonly text: string
  /** The source that states the value; undefined if no source does. */
  readonly source: string | undefined
}

const INPUTS: readonly (readonly [name: SsvcInput, label: string, words: Readonly<Record<string, string>>])[] = [
  ['exploitation', 'Exploitation', SSVC_EXPLOITATION_WORDS],
  ['automatable', 'Automatable', SSVC_AUTOMATABLE_WORDS],
  ['technical_impact', 'Technical impact', SSVC_IMPACT_WORDS],
]

/** Lists the inputs of the decision, each with its source. */
export function listInputs(ssvc: Ssvc): readonly VerdictInput[] {
  return INPUTS.map(([name, label, words]) => {
    const value = ssvc[name]
    return {
      name,
      label,
      text: value === null ? 'not stated' : (words[value] ?? value),
      source: ssvc.value_sources[name] ?? undefined,
    }
  })
}

interface Remediation {
  readonly days: number | null
  readonly forensic_triage: boolean
}

/** Describes what the directive requires: `3 days, with forensic triage`. */
export function describeRemediation({ days, forensic_triage }: Remediation): string {
  const time = days === null ? 'at the next upgrade' : `${days} ${days === 1 ? 'day' : 'days'}`
  return forensic_triage ? `${time}, with forensic triage` : time
}

/** Day on which CISA issued the directive BOD 26-04. Older KEV entries have due dates from an earlier directive. */
const DIRECTIVE_DAY = '2026-06-10'

/** Explains why there is no number of days, when the days start to count, or how they relate to the due date in KEV. */
export function explainDeadline({ deadline }: Priority, kev: Cve['kev']): string {
  if (deadline?.inputs !== 'cisa')
    return "The days for exposed and internal assets cannot be computed: CISA's SSVC values are not in the data."
  if (!kev) return 'The days count from the detection on the asset.'
  if (kev.dateAdded < DIRECTIVE_DAY)
    return `CISA added the CVE before the directive of ${DIRECTIVE_DAY}; the due date in KEV follows an earlier directive.`
  return deadline.kev_due_agrees === false
    ? "The days count from the addition to KEV. CISA's due date in KEV is another day, and is the one that applies."
    : 'The days count from the addition to KEV.'
}

/** Levels for which a deadline of a few days is surprising, because nothing is known that makes the CVE urgent. */
const CALM_LEVELS: readonly unknown[] = ['P3', 'P4']

/** Returns whether the directive sets a number of days for a CVE that is not urgent under the policy. */
export function hasShorterDeadline({ level, deadline }: Priority): boolean {
  return CALM_LEVELS.includes(level) && typeof deadline?.exposed?.days === 'number'
}

/** Capitalizes a decision of the tree: `Act`, `Track*`. */
export function titleDecision({ decision }: Ssvc): string {
  return capitalise(decision)
}
