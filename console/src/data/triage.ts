// What the account decided about CVEs. A change shows at once, and is taken back if the service refuses it.
import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isVisError, type NewTriageState, type TriageEntry } from 'vis-sdk'
import {
  applyChanges,
  describeChanges,
  findEntry,
  type StateConflict,
  type StateDraft,
  sortEntries,
} from '../text/triage.ts'
import { client } from './client.ts'
import { useSession } from './use-session.ts'

/** Maximum number of CVEs that the service accepts in one call, and of entries that it returns. */
const MAX_IDS = 50
const MAX_ENTRIES = 500

const TRIAGE_KEY = 'triage'

/** Entries of some CVEs. */
const entriesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: [TRIAGE_KEY, ids],
    queryFn: async ({ signal }) => {
      const { items } = await client.triage({ ids: [...ids], limit: MAX_ENTRIES, signal }).page()
      return items
    },
  })

/** The entries of one CVE in all scopes, and their history. */
export const cveTriageQuery = (id: string) =>
  queryOptions({
    queryKey: [TRIAGE_KEY, 'history', id],
    queryFn: ({ signal }) => client.cveTriage(id, { signal }),
  })

export type EntriesByCve = ReadonlyMap<string, readonly TriageEntry[]>

/** Returns the entries of the CVEs. Each page of a list is read once. */
export function useTriageEntries(ids: readonly string[]): EntriesByCve {
  const pages = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, page) =>
    ids.slice(page * MAX_IDS, (page + 1) * MAX_IDS),
  )
  return useQueries({
    queries: pages.map((page) => entriesQuery(page)),
    combine: (results) => groupEntries(results.flatMap(({ data }) => data ?? [])),
  })
}

function groupEntries(entries: readonly TriageEntry[]): EntriesByCve {
  return Map.groupBy(entries, ({ cve_id }) => cve_id)
}

/** A change of the entry of one CVE, or of the same scope of several ones. */
interface TriageChangeRequest {
  readonly changes: readonly NewTriageState[]
  /** Who is shown as the author until the service has answered. */
  readonly actor: string
}

/** The entry that another person left meanwhile; null if it was removed. */
interface TriageConflict {
  readonly cveId: string
  readonly theirs: TriageEntry | null
}

interface TriageResult {
  readonly done: number
  readonly conflicts: readonly TriageConflict[]
  /** Why other changes were not made. */
  readonly refused: readonly string[]
}

const REFUSALS: Readonly<Record<string, string>> = {
  limit: 'The account has as many entries as its plan allows.',
  daily_limit: 'The account has made as many changes today as its plan allows.',
  unknown: 'The entry was removed meanwhile.',
}

/** Sets states. They show before the service has answered; what it refuses is shown as it was. */
function useSetTriage() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ changes }: TriageChangeRequest) => sendChanges(changes),
    onMutate: async ({ changes, actor }) => {
      await queryClient.cancelQueries({ queryKey: [TRIAGE_KEY] })
      const before = queryClient.getQueriesData<readonly TriageEntry[]>({ queryKey: [TRIAGE_KEY] })
      for (const [key, entries] of before) {
        if (isListKey(key) && entries) queryClient.setQueryData(key, applyChanges(entries, key[1], changes, actor))
      }
      return { before }
    },
    onError: (_error, _request, context) => {
      for (const [key, entries] of context?.before ?? []) queryClient.setQueryData(key, entries)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [TRIAGE_KEY] }),
  })
}

function useRemoveTriage() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ cve_id, scope, version_range: range, revision }: TriageEntry) =>
      client.removeTriage({ cve_id, scope, revision, ...(range === null ? {} : { version_range: range }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [TRIAGE_KEY] }),
  })
}

interface TriageEditorOptions {
  readonly ids: readonly string[]
  /** The entries of these CVEs. */
  readonly entries: EntriesByCve
  /** Called with a sentence about what was done. */
  readonly onDone: (message: string) => void
}

/** What a dialog for the state of one or several CVEs needs, and what it may do. */
export function useTriageEditor({ ids, entries, onDone }: TriageEditorOptions) {
  const session = useSession()
  const set = useSetTriage()
  const remove = useRemoveTriage()
  const [conflict, setConflict] = useState<StateConflict>()
  const [only = '', ...others] = ids
  const isSingle = others.length === 0
  const [entry] = isSingle ? sortEntries(entries.get(only) ?? []) : []
  const actor = session?.member ? `member:${session.member.id}` : 'you'
  const send = (draft: StateDraft, findRevision: (id: string) => number) => {
    const changes = ids.map((id) => ({ ...draft, cve_id: id, revision: findRevision(id) }))
    const onSuccess = ({ done, conflicts, refused }: TriageResult) => {
      const [first] = conflicts
      if (isSingle && first) setConflict({ theirs: first.theirs, mine: draft })
      else onDone(describeChanges({ done, total: ids.length, conflicts: conflicts.length, refused }))
    }
    set.mutate({ changes, actor }, { onSuccess })
  }
  return {
    subject: isSingle ? only : `${ids.length} CVEs`,
    entry,
    isPending: set.isPending || remove.isPending,
    error: set.error ?? remove.error,
    conflict,
    onSave: (draft: StateDraft) => send(draft, (id) => findEntry(entries.get(id) ?? [], draft)?.revision ?? 0),
    /** Saves the draft although another person changed the entry meanwhile. */
    onReplace: () => {
      if (!conflict) return
      setConflict(undefined)
      send(conflict.mine, () => conflict.theirs?.revision ?? 0)
    },
    onRemove:
      entry && (() => remove.mutate(entry, { onSuccess: () => onDone(`The state of ${entry.cve_id} was removed.`) })),
  }
}

type ListKey = readonly [string, readonly string[]]

function isListKey(key: readonly unknown[]): key is ListKey {
  return Array.isArray(key[1])
}

async function sendChanges(changes: readonly NewTriageState[]): Promise<TriageResult> {
  const [only, ...others] = changes
  if (only && others.length === 0) return sendChange(only)
  const { done_total: done, results } = await client.changeTriage({ set: [...changes] })
  return {
    done,
    conflicts: results
      .filter(({ outcome }) => outcome === 'conflict')
      .map(({ index, triage_entry: theirs = null }) => ({ cveId: changes[index]?.cve_id ?? '', theirs })),
    refused: [...new Set(results.flatMap(({ outcome }) => REFUSALS[outcome] ?? []))],
  }
}

async function sendChange(change: NewTriageState): Promise<TriageResult> {
  try {
    await client.setTriage(change)
    return { done: 1, conflicts: [], refused: [] }
  } catch (error) {
    const theirs = readConflict(error)
    if (theirs === undefined) throw error
    return { done: 0, conflicts: [{ cveId: change.cve_id, theirs }], refused: [] }
  }
}

/** Returns the entry that is there now, null if there is none, and undefined if the error is another one. */
function readConflict(error: unknown): TriageEntry | null | undefined {
  if (!isVisError(error, 'CONFLICT') || !('current' in error.details)) return undefined
  return error.details['current']
}
