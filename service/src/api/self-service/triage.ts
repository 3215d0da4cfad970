// What the endpoints for triage states share: reading, judging and changing the entries of the caller's account.
import {
  type ChangedTriage,
  changeOwnTriage,
  type TriageCause,
  type TriageChange,
  type TriageEntry,
} from '../../accounts/own-triage.ts'
import {
  type EntryInput,
  entryChanged,
  type JudgedEntry,
  noSuchEntry,
  renderEntry,
  type StateInput,
  tooManyEntries,
  tooManyTriageChanges,
} from '../../contract/triage/entries.ts'
import { noSuchWatch } from '../../contract/watches/errors.ts'
import type { Database } from '../../database/postgres.ts'
import { parseCanonicalCveId, toCveKey } from '../../domain/cve-id.ts'
import { formatDay } from '../../domain/instant.ts'
import { judgeState, type Urgency } from '../../domain/triage/effect.ts'
import { readWatchScope } from '../../domain/triage/scope.ts'
import { formatRange, parseRange } from '../../domain/triage/version-range.ts'
import { MAX_TRIAGE_ENTRIES, REOPENERS } from '../../domain/triage/words.ts'
import { readSubjects } from '../../matching/read/read-subjects.ts'
import { toUrgency } from '../../matching/triage/account-states.ts'
import { requireCaller, type Services } from '../services.ts'
import { actForCaller } from './act.ts'

const UNKNOWN: Urgency = { level: null, isExploited: false }

/** Returns what the catalog knows now. A CVE without a record has no level. */
export async function readUrgencies(db: Database, cveIds: readonly string[]): Promise<(cveId: string) => Urgency> {
  const keys = new Map(
    cveIds.flatMap((id) => {
      const canonical = parseCanonicalCveId(id)
      const key = canonical && toCveKey(canonical)
      return key === undefined ? [] : [[id, key] as const]
    }),
  )
  const subjects = await readSubjects(db, [...new Set(keys.values())])
  return (cveId) => {
    const subject = subjects.get(keys.get(cveId) ?? '')
    return subject === undefined ? UNKNOWN : toUrgency(subject)
  }
}

export async function judgeEntries(
  entries: readonly TriageEntry[],
  { db, now }: Pick<Services, 'db' | 'now'>,
): Promise<readonly JudgedEntry<TriageEntry>[]> {
  const findUrgency = await readUrgencies(
    db,
    entries.map(({ cveId }) => cveId),
  )
  return entries.map((entry) => judgeEntry(entry, findUrgency(entry.cveId), now))
}

function judgeEntry(entry: TriageEntry, current: Urgency, now: Date): JudgedEntry<TriageEntry> {
  const known = { level: entry.level, isExploited: entry.isExploited }
  return { entry, ...judgeState({ ...entry, known }, current, now), level: current.level }
}

export function actForTriage<T>(services: Services, work: Parameters<typeof actForCaller<T>>[1]): Promise<T> {
  return actForCaller(services, work, 'triage')
}

/** The revision 0 stands for no entry. */
export function toRemoval(sent: EntryInput): TriageChange {
  return { ...nameEntry(sent), state: null, revision: sent.revision ?? 0 }
}

export async function toChanges(sent: readonly StateInput[], db: Database): Promise<readonly TriageChange[]> {
  const findUrgency = await readUrgencies(
    db,
    sent.map(({ cve_id }) => cve_id),
  )
  return sent.map((each) => ({
    ...nameEntry(each),
    state: each.state,
    revision: each.revision ?? 0,
    justification: each.justification ?? null,
    impactStatement: toText(each.impact_statement),
    actionStatement: toText(each.action_statement),
    note: toText(each.note),
    until: each.until === undefined ? null : formatDay(each.until),
    unless: REOPENERS.filter((word) => each.unless === undefined || each.unless.includes(word)),
    ...findUrgency(each.cve_id),
  }))
}

function nameEntry({ cve_id: cveId, scope, version_range: range = '' }: EntryInput) {
  const parsed = parseRange(range)
  const versions = parsed === undefined || 'error' in parsed ? scope.versions : formatRange(parsed)
  return { cveId, kind: scope.kind, scope: scope.scope, versions }
}

function toText(sent: string | undefined): string | null {
  const text = sent?.trim() ?? ''
  return text === '' ? null : text.toWellFormed()
}

export async function changeTriage(
  services: Services,
  cause: TriageCause,
  changes: readonly TriageChange[],
): Promise<readonly ChangedTriage[]> {
  return actForTriage(services, (accounts, credential) => changeOwnTriage(accounts, credential, cause, changes))
}

/** Makes one change, and returns the entry after it; throws 404 or 409 if it was not made. */
export async function changeOneEntry(
  services: Services,
  cause: TriageCause,
  change: TriageChange,
): Promise<TriageEntry | undefined> {
  const [made] = await changeTriage(services, cause, [change])
  if (made === undefined) throw new Error('the change of an entry returned no row')
  const limit = MAX_TRIAGE_ENTRIES[requireCaller(services).plan]
  switch (made.outcome) {
    case 'done':
      return made.entry
    case 'unknown':
      throw noSuchEntry(change.cveId, change.scope)
    case 'no watch':
      throw noSuchWatch(readWatchScope(change.scope) ?? '')
    case 'limit':
      throw tooManyEntries(limit)
    case 'too many':
      throw tooManyTriageChanges(2 * limit)
    case 'conflict': {
      const [current] = await judgeEntries(made.entry === undefined ? [] : [made.entry], services)
      throw entryChanged(current && renderEntry(current))
    }
  }
}
