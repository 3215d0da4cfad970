// The dialogs that make, change, snooze and remove a watch.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Watch } from 'vis-sdk'
import { useWatchForm } from '../../data/watch/use-watch-form.ts'
import { useWatchChange } from '../../data/watch/watches.ts'
import { ConfirmDialog } from '../../kit/controls/confirm-dialog.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { useNow } from '../../kit/now.ts'
import { SnoozeDialog } from '../../kit/watch/snooze-dialog.tsx'
import { WatchDialog } from '../../kit/watch/watch-dialog.tsx'
import { formatDate } from '../../text/date-words.ts'
import { toDay } from '../../text/days.ts'
import { describeCreated } from '../../text/watch/done.ts'
import { FeedDialog } from './feed-dialog.tsx'
import type { OpenDialog } from './open-dialog.ts'
import type { ReadyWatch } from './ready.ts'
import { ReadyWatches } from './ready-watches.tsx'

interface WatchDialogsProps {
  readonly dialog: OpenDialog
  readonly onDialog: (dialog: OpenDialog) => void
  /** Called with a sentence about what was done. */
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

export function WatchDialogs({ dialog, onDialog, onDone, onClose }: WatchDialogsProps) {
  const shared = { onDone, onClose }
  switch (dialog.kind) {
    case 'choose':
      return (
        <Dialog title="New watch" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
          <p className="mb-3 text-sm text-ink-2">What do you want to be told about?</p>
          <ReadyWatches onChoose={(watch) => onDialog({ kind: 'new', watch })} />
        </Dialog>
      )
    case 'new':
      return <NewWatch ready={dialog.watch} {...shared} />
    case 'change':
      return <ChangeWatch watch={dialog.watch} {...shared} />
    case 'snooze':
      return <Snooze watch={dialog.watch} {...shared} />
    case 'feed':
      return <FeedDialog watch={dialog.watch} {...shared} />
    case 'remove':
      return <Remove watch={dialog.watch} {...shared} />
  }
}

type PartProps = Pick<WatchDialogsProps, 'onDone' | 'onClose'>

function NewWatch({
  ready,
  onDone,
  onClose,
}: PartProps & { readonly ready: Pick<ReadyWatch, 'name' | 'query' | 'kinds'> }) {
  const form = useWatchForm({ onDone: (result) => onDone(describeCreated(result)) })
  return (
    <WatchDialog
      {...form}
      title="New watch"
      action="Save"
      query={ready.query}
      initial={{ name: ready.name, team: '', kinds: ready.kinds }}
      onClose={onClose}
    />
  )
}

interface OneProps extends PartProps {
  readonly watch: Watch
}

function ChangeWatch({ watch, onDone, onClose }: OneProps) {
  const form = useWatchForm({ watch, onDone: (result) => onDone(`“${result.watch.name}” was changed.`) })
  return (
    <WatchDialog
      {...form}
      title={`Change “${watch.name}”`}
      action="Save"
      query={watch.query}
      initial={{ name: watch.name, team: watch.team ?? '', kinds: watch.on }}
      onClose={onClose}
    >
      <p className="mt-1.5 text-xs text-ink-3">
        To change the search,{' '}
        <Link to="/cves" search={{ view: watch.id }} className="text-accent underline underline-offset-2">
          open it in the list
        </Link>
        , choose other filters and save the changes.
      </p>
    </WatchDialog>
  )
}

function Snooze({ watch, onDone, onClose }: OneProps) {
  const change = useWatchChange()
  const snooze = (day: string) =>
    change.mutate(
      { kind: 'snooze', id: watch.id, until: day },
      { onSuccess: () => onDone(`“${watch.name}” is snoozed until ${formatDate(day)}.`) },
    )
  return (
    <SnoozeDialog
      name={watch.name}
      today={toDay(useNow())}
      isPending={change.isPending}
      error={change.error}
      onSnooze={snooze}
      onClose={onClose}
    />
  )
}

function Remove({ watch, onDone, onClose }: OneProps) {
  const change = useWatchChange()
  const [keepsView, setKeepsView] = useState(false)
  const remove = () =>
    change.mutate(
      { kind: 'remove', watch, keepsView },
      { onSuccess: () => onDone(`“${watch.name}” was removed.${keepsView ? ' Its view stays.' : ''}`) },
    )
  return (
    <ConfirmDialog
      title={`Remove “${watch.name}”`}
      action="Remove"
      isPending={change.isPending}
      error={change.error}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        It tells nothing any more{watch.feed ? ', and its feed address stops working' : ''}. What it told stays in the
        inbox for its time, without its name.
      </p>
      <label className="flex items-center gap-2 text-ink">
        <input
          type="checkbox"
          checked={keepsView}
          onChange={({ target }) => setKeepsView(target.checked)}
          className="size-4 accent-accent"
        />
        Keep the search as a shared view
      </label>
    </ConfirmDialog>
  )
}
