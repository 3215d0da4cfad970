// Words for triage states: what the account decided about a CVE in a scope.
import type { Cve, NewTriageState, TriageEntry } from 'vis-sdk'

export type TriageState = TriageEntry['state']

interface StateWords {
  readonly label: string
  /** What the state claims. */
  readonly meaning: string
}

/** In the order in which a person chooses them. */
export const TRIAGE_WORDS: Readonly<Record<TriageState, StateWords>> = {
  under_investigation: { label: 'Investigating', meaning: 'Somebody is looking into it.' },
  affected: { label: 'Affected', meaning: 'It can be used against what you run.' },
  not_affected: { label: 'Not affected', meaning: 'It cannot be used against what you run. Needs a reason.' },
  fixed: { label: 'Fixed', meaning: 'What you run contains the fix.' },
  accepted: { label: 'Accepted', meaning: 'It can be used, and you have decided to live with that.' },
}

// The cast is safe: the keys of the table are the states.
export const TRIAGE_STATES = Object.keys(TRIAGE_WORDS) as readonly TriageState[]

export const JUSTIFICATION_WORDS = {
  component_not_present: 'The component is not there',
  vulnerable_code_not_present: 'The vulnerable code is not there',
  vulnerable_code_not_in_execute_path: 'The vulnerable code is never executed',
  vulnerable_code_cannot_be_controlled_by_adversary: 'An attacker cannot control the vulnerable code',
  inline_mitigations_already_exist: 'Protection is already in place',
} as const satisfies Readonly<Record<NonNullable<TriageEntry['justification']>, string>>

export const REOPENER_WORDS = {
  exploited: 'it becomes known to be exploited',
  priority_raised: 'its level becomes more urgent',
} as const satisfies Readonly<Record<TriageEntry['unless'][number], string>>

/** Scope of an entry that is about the CVE as such. It is shown everywhere and hides nothing. */
export const EVERYWHERE = '*'

/** The scope of a state that mutes a CVE in a watch: `watch:7`. */
const WATCH_SCOPE = /^watch:([1-9]\d{0,17})$/

export const toWatchScope = (id: string): string => `watch:${id}`

/** Returns the id of the watch; undefined for another scope. */
export const readWatchScope = (scope: string): string | undefined => WATCH_SCOPE.exec(scope)?.[1]

export function describeScope({ scope, version_range: range }: Pick<TriageEntry, 'scope' | 'version_range'>): string {
  if (scope === EVERYWHERE) return 'the CVE as such'
  const watch = readWatchScope(scope)
  if (watch !== undefined) return `events of watch ${watch}, muted`
  return range === null ? scope : `${scope}, versions ${range}`
}

/** Describes what the state does to findings, if it is not what the state alone suggests. */
export function describeEffect({ effect, reopened_by: reopeners, until_day: until }: TriageEntry): string | undefined {
  switch (effect) {
    case 'reopened':
      return `Open again, because ${reopeners.map((each) => REOPENER_WORDS[each].replace('becomes', 'became')).join(' and ')}`
    case 'ended':
      return `Ended on ${until ?? 'its last day'}`
    case 'suppresses':
      return until === null ? 'Hides findings in its scope' : `Hides findings in its scope until ${until}`
    case 'shown':
      return undefined
  }
}

/** `member:3` and `key:12` as words. */
export function describeActor(actor: string, names: ReadonlyMap<string, string> = new Map()): string {
  const [kind, id = ''] = actor.split(':')
  if (kind === 'member') return names.get(id) ?? `member ${id}`
  return kind === 'key' ? `key ${id}` : actor
}

/** Sorts the entries of a CVE: what needs attention first, then the CVE as such, then the newest. */
export function sortEntries(entries: readonly TriageEntry[]): readonly TriageEntry[] {
  const rank = ({ effect, scope }: TriageEntry) => (effect === 'reopened' ? 0 : scope === EVERYWHERE ? 1 : 2)
  return entries.toSorted((a, b) => rank(a) - rank(b) || b.set_at.localeCompare(a.set_at, 'en'))
}

/** The members of a change that a person chooses. */
export type StateDraft = Omit<NewTriageState, 'cve_id' | 'revision'>

/** What a change would overwrite. */
export interface StateConflict {
  /** The entry as another person left it; null if it was removed. */
  readonly theirs: TriageEntry | null
  readonly mine: StateDraft
}

/** Returns the entry that a change would replace. */
export function findEntry(
  entries: readonly TriageEntry[],
  { scope, version_range: range = '' }: Pick<StateDraft, 'scope' | 'version_range'>,
): TriageEntry | undefined {
  return entries.find((entry) => entry.scope === scope && (entry.version_range ?? '') === range)
}

interface ChangeCounts {
  readonly done: number
  readonly total: number
  /** Number of entries that another person changed meanwhile. */
  readonly conflicts: number
  /** Why other changes were not made. */
  readonly refused: readonly string[]
}

/** "The state of 2 of 3 CVEs was set. 1 was changed by somebody else meanwhile." */
export function describeChanges({ done, total, conflicts, refused }: ChangeCounts): string {
  const all = `${total} ${total === 1 ? 'CVE' : 'CVEs'}`
  const others =
    conflicts > 0
      ? ` ${conflicts} ${conflicts === 1 ? 'was' : 'were'} changed by somebody else meanwhile and left as it is.`
      : ''
  const reasons = refused.length > 0 ? ` ${refused.join(' ')}` : ''
  return `The state of ${done === total ? all : `${done} of ${all}`} was set.${others}${reasons}`
}

/** Lists the packages and products to which a state of the CVE can be limited. */
export function listScopes({ fixes = [], cpe = [] }: Partial<Pick<Cve, 'fixes' | 'cpe'>>): readonly string[] {
  const packages = fixes.flatMap(({ package_url: purl }) => purl ?? [])
  const products = cpe.filter(({ vulnerable }) => vulnerable).map(({ criteria }) => withoutVersion(criteria))
  return [...new Set([...packages, ...products])].slice(0, MAX_SCOPES)
}

const MAX_SCOPES = 20
/** `cpe:2.3`, part, vendor and product. */
const NAMED_PARTS = 5

function withoutVersion(criteria: string): string {
  return [...criteria.split(/(?<!\\):/).slice(0, NAMED_PARTS), '*', '*', '*', '*', '*', '*', '*', '*'].join(':')
}

/** Returns the entries as they will be if the service accepts the changes. `ids` are the CVEs of the list. */
export function applyChanges(
  entries: readonly TriageEntry[],
  ids: readonly string[],
  changes: readonly NewTriageState[],
  actor: string,
): readonly TriageEntry[] {
  const isSame = (entry: TriageEntry, change: NewTriageState) =>
    entry.cve_id === change.cve_id &&
    entry.scope === change.scope &&
    (entry.version_range ?? '') === (change.version_range ?? '')
  const kept = entries.filter((entry) => !changes.some((change) => isSame(entry, change)))
  const made = changes
    .filter(({ cve_id }) => ids.includes(cve_id))
    .map((change) =>
      toEntry(
        change,
        entries.find((entry) => isSame(entry, change)),
        actor,
      ),
    )
  return [...made, ...kept]
}

function toEntry(change: NewTriageState, before: TriageEntry | undefined, actor: string): TriageEntry {
  return {
    cve_id: change.cve_id,
    scope: change.scope,
    version_range: change.version_range ?? null,
    state: change.state,
    justification: change.justification ?? null,
    impact_statement: change.impact_statement ?? null,
    action_statement: change.action_statement ?? null,
    note: change.note ?? null,
    until_day: change.until ?? null,
    unless: typeof change.unless === 'object' ? change.unless : ['exploited', 'priority_raised'],
    level_when_set: before?.level_when_set ?? null,
    exploited_when_set: before?.exploited_when_set ?? false,
    revision: (before?.revision ?? 0) + 1,
    set_at: new Date().toISOString(),
    set_by: actor,
    // Whether the state hides findings is the service's answer.
    effect: 'shown',
    reopened_by: [],
    priority_level: before?.priority_level ?? null,
  }
}
