// The triage states of the caller's own account. Database functions enforce rights, limits and revisions.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import type { Level } from '../domain/priority/policy.ts'
import type { ScopeKind } from '../domain/triage/scope.ts'
import type { Justification, Reopener, TriageState } from '../domain/triage/words.ts'
import { type Credential, translateRefusal } from './keys/credential.ts'

interface ScopedCve {
  readonly cveId: string
  readonly kind: ScopeKind
  readonly scope: string
  /** Empty for all versions. */
  readonly versions: string
}

interface Statement {
  readonly justification: Justification | null
  readonly impactStatement: string | null
  readonly actionStatement: string | null
  readonly note: string | null
  /** As YYYY-MM-DD. */
  readonly until: string | null
  readonly unless: readonly Reopener[]
  /** What was known about the CVE when the state was set. */
  readonly level: Level | null
  readonly isExploited: boolean
}

export interface TriageEntry extends ScopedCve, Statement {
  readonly id: string
  readonly revision: number
  readonly at: Date
  /** `member:<id>` or `key:<id>`. */
  readonly actor: string
  readonly state: TriageState
}

export interface TriageRevision extends ScopedCve, Statement {
  readonly revision: number
  readonly at: Date
  readonly actor: string
  /** Null if the entry was removed. */
  readonly state: TriageState | null
  readonly isCurrent: boolean
}

export interface TriageFilter {
  readonly cveIds?: readonly string[] | undefined
  readonly states?: readonly TriageState[] | undefined
  readonly scope?: string | undefined
  /** Text in the scope. */
  readonly product?: string | undefined
  readonly before?: string | undefined
  readonly count: number
}

export async function readOwnTriage(
  accounts: Database,
  { kind, digest }: Credential,
  { cveIds, states, scope, product, before, count }: TriageFilter,
): Promise<readonly TriageEntry[]> {
  const { rows } = await translateRefusal(
    sql<TriageEntry>`
      select ${selectEntry(sql`entry`)}
        from accounts.read_triage(
               ${kind}, decode(${digest}, 'hex'), ${cveIds ?? null}, ${states ?? null}, ${scope ?? null},
               ${product ?? null}, ${before ?? null}, ${count}) entry
    `.execute(accounts),
  )
  return rows
}

/** A state that can hide findings, with what a scan needs of it. */
export interface ScopedState extends Omit<ScopedCve, 'kind'> {
  readonly state: TriageState
  readonly until: string | null
  readonly unless: readonly Reopener[]
  readonly level: Level | null
  readonly isExploited: boolean
  readonly actor: string
  /** The beginning of the first text that the entry has; null without one. */
  readonly reason: string | null
}

/** Without the complete texts, because all states of an account are in memory at once. */
export async function readScopedStates(
  accounts: Database,
  { kind, digest }: Credential,
  { states, count, reasonLength }: { states: readonly TriageState[]; count: number; reasonLength: number },
): Promise<readonly ScopedState[]> {
  const { rows } = await translateRefusal(
    sql<ScopedState>`
      select entry.cve_id as "cveId", entry.scope, entry.versions, entry.state,
             to_char(entry.until, 'YYYY-MM-DD') as until, entry.unless, entry.level,
             entry.is_exploited as "isExploited", entry.actor,
             left(coalesce(entry.impact_statement, entry.action_statement, entry.note, entry.justification),
                  ${reasonLength}) as reason
        from accounts.read_triage(
               ${kind}, decode(${digest}, 'hex'), null, ${states}, null, null, null, ${count}) entry
       where entry.kind in ('package', 'product')
    `.execute(accounts),
  )
  return rows
}

export async function readOwnTriageHistory(
  accounts: Database,
  { kind, digest }: Credential,
  cveId: string,
  count: number,
): Promise<readonly TriageRevision[]> {
  const { rows } = await translateRefusal(
    sql<TriageRevision>`
      select ${selectStatement(sql`revision`)}, revision.is_current as "isCurrent"
        from accounts.read_triage_history(${kind}, decode(${digest}, 'hex'), ${cveId}, ${count}) revision
    `.execute(accounts),
  )
  return rows
}

export type TriageCause = 'set' | 'remove' | 'import'

/** Without a state, the change removes the entry. */
export interface TriageChange extends ScopedCve, Partial<Statement> {
  readonly state: TriageState | null
  /** The revision that the change replaces; 0 for a new entry. */
  readonly revision: number
}

type TriageOutcome = 'done' | 'conflict' | 'unknown' | 'no watch' | 'limit' | 'too many'

export interface ChangedTriage {
  readonly outcome: TriageOutcome
  /** The entry after the call; undefined if there is none. */
  readonly entry: TriageEntry | undefined
}

/** Makes up to 500 changes. Each is made or not, whatever happens to the others. */
export async function changeOwnTriage(
  accounts: Database,
  { kind, digest }: Credential,
  cause: TriageCause,
  changes: readonly TriageChange[],
): Promise<readonly ChangedTriage[]> {
  const { rows } = await translateRefusal(
    sql<TriageEntry & { readonly outcome: TriageOutcome }>`
      select made.outcome, ${selectEntry(sql`(made.entry)`)}
        from accounts.change_triage(
               ${kind}, decode(${digest}, 'hex'), ${cause}, ${JSON.stringify(changes.map(toRow))}::jsonb) made
       order by made.change_position
    `.execute(accounts),
  )
  return rows.map(({ outcome, ...entry }) => ({ outcome, entry: entry.id === null ? undefined : entry }))
}

function toRow(change: TriageChange) {
  return {
    cve_id: change.cveId,
    kind: change.kind,
    scope: change.scope,
    versions: change.versions,
    revision: change.revision,
    state: change.state,
    justification: change.justification ?? null,
    impact_statement: change.impactStatement ?? null,
    action_statement: change.actionStatement ?? null,
    note: change.note ?? null,
    until: change.until ?? null,
    unless: change.unless ?? [],
    level: change.level ?? null,
    is_exploited: change.isExploited ?? false,
  }
}

function selectEntry(entry: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${entry}.id, ${selectStatement(entry)}`
}

function selectStatement(entry: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${entry}.cve_id as "cveId", ${entry}.kind, ${entry}.scope, ${entry}.versions, ${entry}.revision, ${entry}.at,
    ${entry}.actor, ${entry}.state, ${entry}.justification, ${entry}.impact_statement as "impactStatement",
    ${entry}.action_statement as "actionStatement", ${entry}.note, to_char(${entry}.until, 'YYYY-MM-DD') as until,
    ${entry}.unless, ${entry}.level, ${entry}.is_exploited as "isExploited"
  `
}
