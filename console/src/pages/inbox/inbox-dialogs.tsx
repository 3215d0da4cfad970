// The dialogs that mute a CVE in a watch and that snooze a watch.
import { useState } from 'react'
import type { Watch } from 'vis-sdk'
import { type EntriesByCve, useTriageEditor } from '../../data/triage.ts'
import { useWatchChange } from '../../data/watch/watches.ts'
import { Button } from '../../kit/controls/button.tsx'
import { Dialog } from '../../kit/controls/dialog.tsx'
import { useNow } from '../../kit/now.ts'
import { MuteDialog } from '../../kit/watch/mute-dialog.tsx'
import { SnoozeDialog } from '../../kit/watch/snooze-dialog.tsx'
import { formatDate } from '../../text/date-words.ts'
import { toDay } from '../../text/days.ts'
import { findLevel, type InboxItem } from '../../text/watch/events.ts'

interface InboxDialogsProps {
  readonly kind: 'mute' | 'snooze'
  readonly item: InboxItem
  /** The watches that told it and still exist. */
  readonly watches: readonly Watch[]
  readonly entries: EntriesByCve
  /** Called with a sentence about what was done. */
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

export function InboxDialogs({ kind, ...props }: InboxDialogsProps) {
  return kind === 'mute' ? <Mute {...props} /> : <Snooze {...props} />
}

type PartProps = Omit<InboxDialogsProps, 'kind'>

function Mute({ item, watches, entries, onDone, onClose }: PartProps) {
  const cveId = item.cveId ?? ''
  const today = toDay(useNow())
  const editor = useTriageEditor({ ids: [cveId], entries, onDone: () => onDone(`${cveId} is muted.`) })
  const record = item.events[0]?.record_after
  const isExploited = record
    ? record.in_kev || record.in_eu_kev || ['active', 'ransomware'].includes(record.exploit_maturity ?? '')
    : false
  if (editor.conflict)
    return (
      <Dialog title={`Mute ${cveId}`} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
        <p role="alert" className="rounded-lg bg-high-soft px-3 py-2 text-sm">
          Somebody else changed the mute meanwhile. Nothing was saved.
        </p>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Keep what is there</Button>
          <Button variant="primary" disabled={editor.isPending} onClick={editor.onReplace}>
            Replace with yours
          </Button>
        </div>
      </Dialog>
    )
  return (
    <MuteDialog
      cveId={cveId}
      watches={watches.map(({ id, name }) => [id, name] as const)}
      urgency={{ isExploited, level: findLevel(item) }}
      today={today}
      isPending={editor.isPending}
      error={editor.error}
      onMute={editor.onSave}
      onClose={onClose}
    />
  )
}

function Snooze({ watches, onDone, onClose }: PartProps) {
  const today = toDay(useNow())
  const [chosen, setChosen] = useState(watches.length === 1 ? watches[0] : undefined)
  const change = useWatchChange()
  if (!chosen)
    return (
      <Dialog title="Snooze which watch?" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
        <div className="grid gap-2">
          {watches.map((watch) => (
            <Button key={watch.id} onClick={() => setChosen(watch)}>
              {watch.name}
            </Button>
          ))}
        </div>
      </Dialog>
    )
  const snooze = (day: string) =>
    change.mutate(
      { kind: 'snooze', id: chosen.id, until: day },
      { onSuccess: () => onDone(`“${chosen.name}” is snoozed until ${formatDate(day)}.`) },
    )
  return (
    <SnoozeDialog
      name={chosen.name}
      today={today}
      isPending={change.isPending}
      error={change.error}
      onSnooze={snooze}
      onClose={onClose}
    />
  )
}
