// Words of the verdict: the values of CISA's decision tree and the deadlines of its directive.
import type { Priority } from 'vis-sdk'

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
  ['exploitation', 'Exploitation', { none: 'none known', poc: 'proof of concept', active: 'active' }],
  ['automatable', 'Automatable', { yes: 'yes', no: 'no' }],
  ['technical_impact', 'Technical impact', { partial: 'partial', total: 'total control' }],
]

/** Lists the inputs of the decision, each with its source. */
export function listInputs(ssvc: Ssvc): readonly VerdictInput[] {
  return INPUTS.map(([name, label, words]) => {
    const value = ssvc[name]
    return {
      name,
      label,
      text: value === null ? 'not stated' : (words[value] ?? value),
      source: ssvc.sources[name] ?? undefined,
    }
  })
}

interface Remediation {
  readonly days: number | null
  readonly forensic_triage: boolean
}

/** Describes what the directive demands: `3 days, with forensic triage`. */
export function describeRemediation({ days, forensic_triage }: Remediation): string {
  const time = days === null ? 'at the next upgrade' : `${days} ${days === 1 ? 'day' : 'days'}`
  return forensic_triage ? `${time}, with forensic triage` : time
}

/** Day on which CISA issued the directive BOD 26-04. */
const DIRECTIVE_DAY = '2026-06-10'

/**
 * Returns the date of a deadline that the page shows. A KEV entry that is older than the directive has a computed date
 * before the directive, on which nothing was due by it, so the page shows no date.
 */
export function selectDueDate({ due_date }: { readonly due_date?: string | undefined }): string | undefined {
  return due_date === undefined || due_date < DIRECTIVE_DAY ? undefined : due_date
}

/** Writes a decision of the tree with a capital letter: `Act`, `Track*`. */
export function titleDecision({ decision }: Ssvc): string {
  return decision.slice(0, 1).toUpperCase() + decision.slice(1)
}
