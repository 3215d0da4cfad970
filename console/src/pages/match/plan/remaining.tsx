// Findings that the plan does not resolve, findings without a level, and hits that triage suppresses.
import type { MatchedComponent } from 'vis-sdk'
import { formatNumber } from '../../../text/format.ts'
import { describeActor, TRIAGE_WORDS } from '../../../text/triage.ts'
import { Group } from '../group.tsx'
import { LevelBadge } from '../level-badge.tsx'
import { Limited } from '../limited.tsx'
import type { Answer } from '../result.ts'
import { SubjectLink } from '../subject-link.tsx'
import { describeCount, nameComponent } from '../texts.ts'
import { type Finding, isUnranked } from './findings.ts'

interface FindingsProps {
  readonly findings: readonly Finding[]
}

interface RemainingProps extends FindingsProps {
  /** Number of findings that remain, with those that the answer does not list. */
  readonly total: number
}

export function Remaining({ findings, total }: RemainingProps) {
  const remaining = findings.filter(({ goes }) => !goes)
  if (remaining.length === 0) return null
  return (
    <Group
      id="remaining"
      title="Remain after the plan"
      count={total}
      note={describeRemaining(total - remaining.length)}
    >
      <FindingList findings={remaining} describe={({ match }) => describeFix(match.fixed_in.length)} />
    </Group>
  )
}

function describeRemaining(unlisted: number): string {
  if (unlisted <= 0) return 'the most urgent first'
  return `the most urgent first; the ${formatNumber(unlisted)} least urgent ${unlisted === 1 ? 'is' : 'are'} not listed`
}

function describeFix(count: number): string {
  return count === 0 ? 'no fix named' : 'a fix is named, but no version without more urgent ones is known'
}

export function Unranked({ findings }: FindingsProps) {
  const unranked = findings.filter(isUnranked)
  if (unranked.length === 0) return null
  const going = unranked.filter(({ goes }) => goes).length
  return (
    <Group id="unranked" title="Not ranked" count={unranked.length} note="too little is known for a level">
      <FindingList findings={unranked} describe={({ match }) => match.statement.text} />
      <p className="border-t border-line px-3 py-2 sm:px-4 text-xs text-ink-2">
        {`Not ranked does not mean harmless. The plan resolves ${formatNumber(going)} of ${unranked.length === 1 ? 'this one' : `these ${formatNumber(unranked.length)}`}.`}
      </p>
    </Group>
  )
}

interface FindingListProps extends FindingsProps {
  readonly describe: (finding: Finding) => string
}

function FindingList({ findings, describe }: FindingListProps) {
  return (
    <Limited items={findings}>
      {(shown) => (
        <ul>
          {shown.map((finding) => (
            <li key={finding.id} className="flex items-start gap-3 border-t border-line px-3 py-2 sm:px-4 text-sm">
              <span className="w-16 shrink-0">
                <LevelBadge level={finding.match.priority_level} isShort />
              </span>
              <div className="min-w-0 break-words">
                <SubjectLink id={finding.id} />
                <span className="block text-xs text-ink-2">
                  {`${nameComponents(finding.components)}: ${describe(finding)}`}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Limited>
  )
}

const MAX_NAMES = 3

function nameComponents(components: readonly MatchedComponent[]): string {
  const names = components.map((each) => [nameComponent(each), each.interpreted_as.version].filter(Boolean).join(' '))
  const hidden = names.length - MAX_NAMES
  return [...names.slice(0, MAX_NAMES), ...(hidden > 0 ? [`and ${formatNumber(hidden)} more`] : [])].join(', ')
}

/** The hits that the account's states hide: how many, by whom, and why. States that are open again hide nothing. */
export function Suppressed({ answer: { components, triage } }: { readonly answer: Answer }) {
  const hits = components.flatMap((component) => component.suppressed.map((hit) => ({ component, ...hit })))
  const total = components.reduce((sum, { suppressed_total }) => sum + suppressed_total, 0)
  const reopened = triage?.reopened_total ?? 0
  if (total === 0 && reopened === 0) return null
  const actors = (triage?.suppressed_by ?? []).map(
    ({ actor, count }) => `${formatNumber(count)} by ${describeActor(actor)}`,
  )
  return (
    <Group
      id="suppressed"
      title="Suppressed by triage"
      count={total}
      note={['not counted above', ...actors].join('; ')}
    >
      {reopened > 0 && (
        <p className="border-t border-line px-3 py-2 sm:px-4 text-sm text-high">
          {`${describeCount(reopened, 'state is', 'states are')} open again and hide nothing: the CVE is exploited now, or its level rose.`}
        </p>
      )}
      <Limited items={hits}>
        {(shown) => (
          <ul>
            {shown.map(({ component, id, state, set_by: actor, reason }) => (
              <li
                key={`${component.index} ${id}`}
                className="border-t border-line px-3 py-2 sm:px-4 text-sm break-words"
              >
                <SubjectLink id={id} /> <span className="text-ink-2">{nameComponents([component])}</span>
                <span className="block text-xs text-ink-2">
                  {[state && TRIAGE_WORDS[state].label, actor !== undefined && `by ${describeActor(actor)}`, reason]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Limited>
    </Group>
  )
}
