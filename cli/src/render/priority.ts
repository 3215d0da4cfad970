// Renders the priority of a CVE: as rows of a card, and as the cells of a table.
import type { Level, Priority } from 'vis-sdk'
import { formatLines, formatRow } from './layout.ts'
import type { Style, Terminal } from './terminal.ts'

const LEVEL_STYLES: Readonly<Record<Level, Style>> = {
  P0: ['bold', 'red'],
  P1: 'red',
  P2: 'yellow',
  unrated: 'yellow',
  P3: 'cyan',
  P4: 'gray',
}

const LEVEL_RANKS: Readonly<Record<Level, number>> = { P0: 0, P1: 1, P2: 2, unrated: 3, P3: 4, P4: 5 }

/** Returns the rank of a level, 0 for the most urgent one. A rejected CVE has no level and comes last. */
export function rankLevel(level: Level | null): number {
  return level === null ? 6 : LEVEL_RANKS[level]
}

export function findLevelStyle({ level }: Pick<Priority, 'level'>): Style {
  return level === null ? 'gray' : LEVEL_STYLES[level]
}

/** Shows the strongest reason, or all of them. */
export function renderPriority(terminal: Terminal, priority: Priority | undefined, showsAllReasons: boolean): string {
  if (!priority) return ''
  const { level, policy_version, ssvc, reasons } = priority
  const decision = ssvc === null ? '' : `, SSVC ${ssvc.decision}`
  const head = `${terminal.paint(findLevelStyle(priority), level ?? 'no level')} by policy ${policy_version}${decision}`
  const deadline = describeDeadline(priority)
  const rule = priority.deadline?.inputs === 'cisa' ? 'by CISA BOD 26-04' : "CISA's values are missing"
  return (
    formatLines(terminal, 'Priority', [head]) +
    listReasons(reasons, showsAllReasons)
      .map((reason) => formatRow(terminal, '', reason))
      .join('') +
    (deadline === '' ? '' : formatRow(terminal, 'Deadline', `${deadline} (${rule})`))
  )
}

function listReasons(reasons: readonly string[], showsAll: boolean): readonly string[] {
  const more = reasons.length - 1
  if (showsAll || more < 1) return reasons
  return [...reasons.slice(0, 1), `${more} more ${more === 1 ? 'reason' : 'reasons'} with --priority`]
}

type Remediation = NonNullable<NonNullable<Priority['deadline']>['exposed']>

/**
 * Describes the deadline from the directive, or our estimate if CISA's inputs are incomplete. If the exposure is
 * unknown, there are two deadlines: one for systems reachable from the internet and one for internal systems.
 */
export function describeDeadline({ deadline, estimate }: Priority): string {
  if (deadline?.inputs === 'cisa') return describeExposures(deadline)
  return estimate ? `estimate: ${describeExposures(estimate)}` : ''
}

interface ByExposure {
  readonly exposed?: Remediation
  readonly internal?: Remediation
}

function describeExposures({ exposed, internal }: ByExposure): string {
  const [outside, inside] = [exposed, internal].map((each) => each && describeRemediation(each))
  if (outside === undefined || inside === undefined) return outside ?? inside ?? ''
  return outside === inside ? outside : `${outside} exposed, ${inside} internal`
}

function describeRemediation({ days, due_date }: Remediation): string {
  if (days === null) return 'next upgrade'
  return due_date ?? `${days} days`
}
