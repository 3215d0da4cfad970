// The dialog that makes a watch of the list.
import type { View } from 'vis-sdk'
import { useWatchForm } from '../../../data/watch/use-watch-form.ts'
import { WatchDialog } from '../../../kit/watch/watch-dialog.tsx'
import { describeCreated } from '../../../text/watch/done.ts'
import { DEFAULT_KINDS } from '../../../text/watch/kinds.ts'
import type { ExplorerState } from '../state.ts'
import { toViewContent } from '../views/view-state.ts'

interface NewWatchProps {
  readonly state: ExplorerState
  /** The shared view that the list shows: it is watched itself. */
  readonly view: View | undefined
  /** Name of the view that the list shows. */
  readonly suggestedName: string | undefined
  /** Called with a sentence about what was done. */
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

export function NewWatch({ state, view, suggestedName, onDone, onClose }: NewWatchProps) {
  const form = useWatchForm({ viewId: view?.id, onDone: (result) => onDone(describeCreated(result)) })
  return (
    <WatchDialog
      {...form}
      title="Watch this search"
      action="Save"
      query={toViewContent(state).query}
      initial={suggestedName === undefined ? undefined : { name: suggestedName, team: '', kinds: DEFAULT_KINDS }}
      onClose={onClose}
    />
  )
}
