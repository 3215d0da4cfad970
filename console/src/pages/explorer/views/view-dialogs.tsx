// The dialogs that save, rename and remove a view.
import type { View, ViewList } from 'vis-sdk'
import { ConfirmDialog } from '../../../kit/controls/confirm-dialog.tsx'
import type { ExplorerState } from '../state.ts'
import { SaveDialog } from './save-dialog.tsx'
import { toUpdate, type ViewChanges } from './view-changes.ts'
import { toViewContent } from './view-state.ts'

export type OpenDialog = 'save' | 'rename' | 'remove' | undefined

interface ViewDialogsProps {
  readonly suggestedName: string
  readonly dialog: OpenDialog
  readonly state: ExplorerState
  readonly view: View | undefined
  readonly rights: ViewList['rights'] | undefined
  readonly change: ViewChanges
  readonly onClose: () => void
}

export function ViewDialogs({ suggestedName, dialog, state, view, rights, change, onClose }: ViewDialogsProps) {
  const shared = { isPending: change.isPending, error: change.error, onClose }
  const done = { onSuccess: onClose }
  if (dialog === 'save' && rights)
    return (
      <SaveDialog
        {...shared}
        title="Save view"
        initialName={view === undefined ? suggestedName : `${view.name}, changed`}
        rights={rights}
        onSave={(name, isShared) =>
          change.mutate({ kind: 'create', name, shared: isShared, ...toViewContent(state) }, done)
        }
      />
    )
  if (dialog === 'rename' && view)
    return (
      <SaveDialog
        {...shared}
        title="Rename view"
        initialName={view.name}
        rights={undefined}
        onSave={(name) => change.mutate({ kind: 'change', view, ...toUpdate(view), name }, done)}
      />
    )
  if (dialog === 'remove' && view)
    return (
      <ConfirmDialog
        {...shared}
        title={`Remove the view “${view.name}”`}
        action="Remove"
        onConfirm={() => change.mutate({ kind: 'remove', view }, done)}
      >
        <p>
          {view.on !== null && 'It is watched: the watch ends, too. '}
          {view.shared ? 'All members of the account lose it.' : 'Nobody else has this view.'} CVEs are not changed.
        </p>
      </ConfirmDialog>
    )
  return null
}
