// What the dialog that creates or changes a watch needs.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { DescribedWatch, Watch, WatchKind } from 'vis-sdk'
import { KINDS } from '../../text/watch/kinds.ts'
import { client } from '../client.ts'
import { useWatchChange, watchNamesQuery } from './watches.ts'

/** The longest period that the service counts. */
const DAYS = 30

interface Draft {
  readonly name: string
  readonly team: string
  readonly query: string
  readonly kinds: readonly WatchKind[]
}

interface WatchFormOptions {
  /** The watch that is changed; undefined for a new one. */
  readonly watch?: Watch | undefined
  /** The shared view that is watched from now on, instead of a new one. */
  readonly viewId?: string | undefined
  readonly onDone: (result: DescribedWatch) => void
}

export function useWatchForm({ watch, viewId, onDone }: WatchFormOptions) {
  const { data } = useQuery(watchNamesQuery)
  const change = useWatchChange()
  const preview = useMutation({
    // All kinds are asked for, so that the counts stay valid while the person chooses.
    mutationFn: (query: string) => client.previewWatch({ query, on: [...KINDS], days: DAYS }),
  })
  const save = (draft: Draft) => {
    const shared = { name: draft.name, team: draft.team, on: [...draft.kinds] }
    const onSuccess = (result: DescribedWatch | undefined) => result && onDone(result)
    if (watch)
      change.mutate({ kind: 'change', id: watch.id, update: { revision: watch.revision, ...shared } }, { onSuccess })
    else if (viewId !== undefined)
      change.mutate({ kind: 'create', watch: { view_id: viewId, ...shared } }, { onSuccess })
    else change.mutate({ kind: 'create', watch: { query: draft.query, ...shared } }, { onSuccess })
  }
  return {
    teams: listTeams(data?.watches ?? []),
    isPending: change.isPending,
    error: change.error,
    preview: preview.data,
    isPreviewing: preview.isPending,
    previewError: preview.error,
    onPreview: preview.mutate,
    onSave: save,
  }
}

/** The teams of the watches, each once, by name. */
export function listTeams(watches: readonly Pick<Watch, 'team'>[]): readonly string[] {
  return [...new Set(watches.flatMap(({ team }) => team ?? []))].toSorted((a, b) => a.localeCompare(b, 'en'))
}
