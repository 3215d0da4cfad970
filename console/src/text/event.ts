// What happened to a CVE, in one line: the most important of its changes within a period.
import type { Change } from 'vis-sdk'
import { describeMaturityValue } from './changes.ts'
import { formatProbability } from './format.ts'

type Diff = Change['diff']

export type EventKind = 'exploited' | 'exploit' | 'trend' | 'level' | 'fix' | 'other'

export interface CveEvent {
  readonly cveId: string
  readonly kind: EventKind
  /** Such as "Added to KEV by CISA and ENISA" or "EPSS 4.1 % → 56.2 %". */
  readonly words: string
  /** Upstream's day, or the day on which the service recorded it if upstream gives none. */
  readonly day: string
  /** Number of the newest change. */
  readonly seq: number
}

/** The types of changes that make a line, of which the most important one gives the reason. */
export const EVENT_TYPES = [
  'kev_added',
  'eu_kev_added',
  'ransomware_added',
  'exploit_added',
  'maturity_raised',
  'became_urgent',
  'epss_jump',
  'patch_added',
] as const satisfies readonly Change['types'][number][]

/** Returns one event for each CVE, newest first. `changes` is in the order of the log, oldest first. */
export function listEvents(changes: readonly Change[]): readonly CveEvent[] {
  const byCve = Map.groupBy(
    changes.filter((change) => change.cve_id !== null),
    ({ cve_id }) => cve_id,
  )
  return [...byCve]
    .flatMap(([cveId, own]) => {
      const event = cveId === null ? undefined : describeChanges(cveId, own)
      return event ? [event] : []
    })
    .toSorted((a, b) => b.day.localeCompare(a.day) || b.seq - a.seq)
}

function describeChanges(cveId: string, changes: readonly Change[]): CveEvent | undefined {
  const types = new Set(changes.flatMap((change) => change.types))
  const diff = mergeDiffs(changes)
  const reason = findReason(types, diff)
  const decisive = changes.findLast((change) => reason?.types.some((type) => change.types.includes(type)))
  if (!reason || !decisive) return undefined
  const { kind, words } = reason
  const seq = Math.max(...changes.map((change) => change.seq))
  return { cveId, kind, words, day: decisive.at ?? decisive.recorded_at.slice(0, 'YYYY-MM-DD'.length), seq }
}

/** The first old value and the last new value of each member. */
function mergeDiffs(changes: readonly Change[]): Diff {
  return changes.reduce<Record<string, { old: unknown; new: unknown }>>((merged, { diff }) => {
    for (const [member, values] of Object.entries(diff)) {
      if (values) merged[member] = { old: merged[member] ? merged[member].old : values.old, new: values.new }
    }
    return merged
  }, {})
}

interface Reason {
  readonly kind: EventKind
  readonly words: string
  /** The change of these types gives the day. */
  readonly types: readonly Change['types'][number][]
}

function findReason(types: ReadonlySet<Change['types'][number]>, diff: Diff): Reason | undefined {
  const [isInCisa, isInEu] = [types.has('kev_added'), types.has('eu_kev_added')]
  if (isInCisa || isInEu) {
    const by = isInCisa && isInEu ? 'CISA and ENISA' : isInCisa ? 'CISA' : 'ENISA'
    const rest = types.has('ransomware_added') ? ', used by ransomware' : ''
    return { kind: 'exploited', words: `Added to KEV by ${by}${rest}`, types: ['kev_added', 'eu_kev_added'] }
  }
  if (types.has('ransomware_added')) {
    return { kind: 'exploited', words: 'Ransomware campaigns use it', types: ['ransomware_added'] }
  }
  if (types.has('exploit_added')) {
    return { kind: 'exploit', words: 'First public evidence of an exploit', types: ['exploit_added'] }
  }
  if (types.has('maturity_raised')) {
    return {
      kind: 'exploit',
      words: `Exploits: ${describeMove(diff, 'exploits.maturity')}`,
      types: ['maturity_raised'],
    }
  }
  if (types.has('epss_jump') && isRise(diff)) {
    return { kind: 'trend', words: `EPSS ${describeMove(diff, 'epss.score')}`, types: ['epss_jump'] }
  }
  if (types.has('became_urgent')) {
    const level = diff['priority.level']
    const words = [toText(level?.old), toText(level?.new)].filter((each) => each !== undefined)
    return {
      kind: 'level',
      words: `Became urgent: ${words.length === 2 ? words.join(' → ') : `New, at ${words[0]}`}`,
      types: ['became_urgent'],
    }
  }
  return types.has('patch_added') ? { kind: 'fix', words: 'Fix named', types: ['patch_added'] } : undefined
}

const toText = (value: unknown) => (typeof value === 'string' ? value : undefined)

function isRise(diff: Diff): boolean {
  const { old, new: current } = diff['epss.score'] ?? { old: null, new: null }
  return typeof current === 'number' && (typeof old !== 'number' || current > old)
}

function describeMove(diff: Diff, member: 'exploits.maturity' | 'epss.score'): string {
  const { old, new: current } = diff[member] ?? { old: null, new: null }
  const format = (value: unknown) =>
    typeof value === 'number' ? formatProbability(value) : describeMaturityValue(value)
  return `${format(old)} → ${format(current)}`
}
