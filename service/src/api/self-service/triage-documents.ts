// Triage entries as OpenVEX documents, and back.
import { randomUUID } from 'node:crypto'
import { readOwnTriage, type TriageChange, type TriageEntry, type TriageFilter } from '../../accounts/own-triage.ts'
import type { JudgedEntry } from '../../contract/triage/entries.ts'
import { MAX_EXPORTED_CHARACTERS, tooMuchText } from '../../contract/triage/openvex.ts'
import { formatInstant } from '../../domain/instant.ts'
import { isMoreUrgent } from '../../domain/priority/policy.ts'
import type { Urgency } from '../../domain/triage/effect.ts'
import { OPENVEX_CONTEXT, toStatement, type VexState } from '../../domain/triage/openvex.ts'
import type { Services } from '../services.ts'
import { actForTriage, judgeEntries, readUrgencies } from './triage.ts'

const TOOL_NAME = 'Vulnerability Intelligence Service'

const PART_ROWS = 1000

/** Yields the entries in parts, newest first, because the texts of all entries together can fill a node's memory. */
async function* readInParts(
  services: Services,
  filter: Pick<TriageFilter, 'cveIds'> = {},
): AsyncGenerator<readonly TriageEntry[]> {
  for (let before: string | undefined; ; ) {
    const position = { ...filter, before, count: PART_ROWS }
    const part = await actForTriage(services, (accounts, credential) => readOwnTriage(accounts, credential, position))
    yield part
    if (part.length < PART_ROWS) return
    before = part.at(-1)?.id
  }
}

/** Without what mutes CVEs in watches, which says nothing about products. Throws 400 for more text than one document may have. */
async function readAllEntries(services: Services): Promise<readonly TriageEntry[]> {
  const entries: TriageEntry[] = []
  let characters = 0
  for await (const read of readInParts(services)) {
    const part = read.filter(({ kind }) => kind !== 'watch')
    characters += part.reduce((sum, entry) => sum + countText(entry), 0)
    if (characters > MAX_EXPORTED_CHARACTERS) throw tooMuchText()
    entries.push(...part)
  }
  return entries
}

const countText = ({ scope, versions, impactStatement, actionStatement, note }: TriageEntry) =>
  [scope, versions, impactStatement, actionStatement, note].reduce((sum, text) => sum + (text?.length ?? 0), 0)

export async function buildDocument(services: Services, author: string) {
  const judged = await judgeEntries((await readAllEntries(services)).toReversed(), services)
  const exported = judged.map((each) => ({ entry: each.entry, ...toStatement(toExported(each)) }))
  return {
    document: {
      '@context': OPENVEX_CONTEXT,
      '@id': `urn:uuid:${randomUUID()}`,
      author,
      timestamp: formatInstant(services.now),
      version: 1,
      tooling: TOOL_NAME,
      statements: exported.map(({ statement }) => statement),
    },
    unexpressed: exported
      .filter(({ unexpressed }) => unexpressed.length > 0)
      .map(({ entry, unexpressed }) => ({ ...nameScope(entry), lost_members: unexpressed })),
  }
}

function toExported({ entry, effect }: JudgedEntry<TriageEntry>) {
  return {
    ...entry,
    scope: { kind: entry.kind, scope: entry.scope, versions: entry.versions },
    known: { level: entry.level, isExploited: entry.isExploited },
    effect,
    setAt: formatInstant(entry.at),
  }
}

export const nameScope = ({ cveId, scope, versions }: Pick<TriageEntry, 'cveId' | 'scope' | 'versions'>) => ({
  cve_id: cveId,
  scope,
  version_range: versions === '' ? null : versions,
})

export interface ImportPlan {
  readonly created: readonly TriageChange[]
  readonly replaced: readonly TriageChange[]
  readonly unchanged: number
  /** Entries that say something else and are kept. */
  readonly kept: readonly TriageEntry[]
}

export async function planImport(
  states: readonly VexState[],
  isReplacing: boolean,
  services: Services,
): Promise<ImportPlan> {
  const present = await readPresent(states, services)
  const findUrgency = await readUrgencies(
    services.db,
    states.map(({ cveId }) => cveId),
  )
  const [created, replaced, kept]: [TriageChange[], TriageChange[], TriageEntry[]] = [[], [], []]
  let unchanged = 0
  for (const state of states) {
    const entry = present.get(toKey({ ...state, ...state.scope }))
    const change = toChange(state, findUrgency(state.cveId), entry?.revision ?? 0)
    if (entry === undefined) created.push(change)
    else if (saysTheSame(entry, change)) unchanged += 1
    else if (isReplacing) replaced.push(change)
    else kept.push(entry)
  }
  return { created, replaced, unchanged, kept }
}

/** Returns the entries that the states are about. */
async function readPresent(states: readonly VexState[], services: Services): Promise<ReadonlyMap<string, TriageEntry>> {
  const wanted = new Set(states.map((state) => toKey({ ...state, ...state.scope })))
  const present = new Map<string, TriageEntry>()
  const cveIds = [...new Set(states.map(({ cveId }) => cveId))]
  for await (const part of readInParts(services, { cveIds }))
    for (const entry of part) if (wanted.has(toKey(entry))) present.set(toKey(entry), entry)
  return present
}

const toKey = ({ cveId, scope, versions }: Pick<TriageEntry, 'cveId' | 'scope' | 'versions'>) =>
  JSON.stringify([cveId, scope, versions])

function toChange({ scope, known, ...state }: VexState, current: Urgency, revision: number): TriageChange {
  const urgency = known === undefined ? current : toLessUrgent(known, current)
  return { ...state, ...scope, ...urgency, revision }
}

/** A document may not claim that more was known than is now: such a state would not reopen. */
function toLessUrgent(one: Urgency, other: Urgency): Urgency {
  const isLess = one.level === null || (other.level !== null && !isMoreUrgent(one.level, other.level))
  return { level: isLess ? one.level : other.level, isExploited: one.isExploited && other.isExploited }
}

/** What was known when a state was set is no part of what it says. */
function saysTheSame(entry: TriageEntry, change: TriageChange): boolean {
  const list = ({ state, justification, impactStatement, actionStatement, note, until, unless = [] }: TriageChange) =>
    JSON.stringify([state, justification, impactStatement, actionStatement, note, until, unless.toSorted()])
  return list(entry) === list(change)
}
