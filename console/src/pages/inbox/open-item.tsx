// The event that is shown, with what the person can do about it: read, mute, snooze the watch, open the CVE.
import { Link } from '@tanstack/react-router'
import { Check, Clock, ExternalLink, VolumeX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTriageEntries } from '../../data/triage.ts'
import { Button, buttonClasses } from '../../kit/controls/button.tsx'
import { KeyCaps } from '../../kit/key-caps.tsx'
import { useKeys } from '../../kit/keys.ts'
import { type InboxItem, listItemWatches } from '../../text/watch/events.ts'
import { Detail } from './detail.tsx'
import { Mutes } from './mutes.tsx'
import type { Inbox } from './use-inbox.ts'

/** Loaded when one is opened for the first time. */
const InboxDialogs = lazy(async () => ({ default: (await import('./inbox-dialogs.tsx')).InboxDialogs }))

interface OpenItemProps {
  readonly item: InboxItem
  readonly inbox: Pick<Inbox, 'state' | 'watches' | 'mayChange' | 'mark'>
  readonly isRead: boolean
  /** Marks the event and all older ones as read. */
  readonly onRead: () => void
}

const NO_IDS: readonly string[] = []

export function OpenItem({ item, inbox, isRead, onRead }: OpenItemProps) {
  const { state, watches, mayChange, mark } = inbox
  const [dialog, setDialog] = useState<'mute' | 'snooze'>()
  const [message, setMessage] = useState('')
  const entries = useTriageEntries(item.cveId === null ? NO_IDS : [item.cveId])
  const own = listItemWatches(item).flatMap(({ id }) => watches.find((watch) => watch.id === id) ?? [])
  const mayMute = mayChange && item.cveId !== null && own.length > 0
  const maySnooze = mayChange && own.length > 0
  const hasMark = mark.nr !== undefined
  useKeys('Inbox', [
    ...(hasMark ? [{ keys: 'e', label: 'Mark as read, with all older ones', run: onRead }] : []),
    ...(mayMute ? [{ keys: 'm', label: 'Mute the CVE', run: () => setDialog('mute') }] : []),
    ...(maySnooze ? [{ keys: 'z', label: 'Snooze the watch', run: () => setDialog('snooze') }] : []),
  ])
  const done = (text: string) => {
    setDialog(undefined)
    setMessage(text)
  }
  return (
    <>
      <Detail
        item={item}
        state={state}
        watches={watches}
        actions={
          <Actions
            cveId={item.cveId}
            isRead={isRead}
            isMarking={mark.isMarking}
            onRead={hasMark ? onRead : undefined}
            onMute={mayMute ? () => setDialog('mute') : undefined}
            onSnooze={maySnooze ? () => setDialog('snooze') : undefined}
          />
        }
        mutes={
          <>
            <Mutes entries={entries.get(item.cveId ?? '') ?? []} watches={watches} mayChange={mayChange} />
            <p role="status" className="text-sm text-ink-2 empty:hidden">
              {message}
            </p>
          </>
        }
      />
      {dialog && (
        <Suspense>
          <InboxDialogs
            kind={dialog}
            item={item}
            watches={own}
            entries={entries}
            onDone={done}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

interface ActionsProps {
  readonly cveId: string | null
  readonly isRead: boolean
  readonly isMarking: boolean
  /** Undefined, as the others, if the person cannot do it. */
  readonly onRead: (() => void) | undefined
  readonly onMute: (() => void) | undefined
  readonly onSnooze: (() => void) | undefined
}

const SMALL = 'h-7 px-2 text-xs'

function Actions({ cveId, isRead, isMarking, onRead, onMute, onSnooze }: ActionsProps) {
  return (
    <>
      {onRead && (
        <Button
          className={SMALL}
          disabled={isRead || isMarking}
          title="Marks this event and all older ones"
          onClick={onRead}
        >
          <Check aria-hidden size={13} /> {isRead ? 'Read' : 'Read up to here'} <Cap keys="e" />
        </Button>
      )}
      {onMute && (
        <Button className={SMALL} onClick={onMute}>
          <VolumeX aria-hidden size={13} /> Mute <Cap keys="m" />
        </Button>
      )}
      {onSnooze && (
        <Button className={SMALL} onClick={onSnooze}>
          <Clock aria-hidden size={13} /> Snooze watch <Cap keys="z" />
        </Button>
      )}
      {cveId !== null && (
        <Link to="/cves/$cveId" params={{ cveId }} className={`${buttonClasses()} ml-auto ${SMALL}`}>
          <ExternalLink aria-hidden size={13} /> Open CVE <Cap keys="o" />
        </Link>
      )}
    </>
  )
}

const Cap = ({ keys }: { readonly keys: string }) => (
  <span aria-hidden className="max-sm:hidden">
    <KeyCaps keys={keys} />
  </span>
)
