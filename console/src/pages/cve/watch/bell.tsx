// The bell: a watch of this one CVE, on or off, with what it tells.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, BellRing } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Watch, WatchKind } from 'vis-sdk'
import { mayManage } from '../../../data/role.ts'
import { useSession } from '../../../data/use-session.ts'
import { useWatchChange, watchNamesQuery } from '../../../data/watch/watches.ts'
import { Button } from '../../../kit/controls/button.tsx'
import { FormError } from '../../../kit/controls/form-error.tsx'
import { Popover } from '../../../kit/controls/popover.tsx'
import { formatDate } from '../../../text/date-words.ts'
import { joinWords } from '../../../text/join-words.ts'
import { BELL_KINDS, findBell, toBellQuery } from '../../../text/watch/bell.ts'
import { KIND_WORDS, listChoices, sortKinds } from '../../../text/watch/kinds.ts'

interface WatchBellProps {
  readonly cveId: string
  /** Keeps the place of the bell until the watches have been read. An import of it would make the page a part of this chunk. */
  readonly slot: ReactNode
}

export function WatchBell({ cveId, slot }: WatchBellProps) {
  const { data, isPending } = useQuery(watchNamesQuery)
  const mayWatch = mayManage(useSession()?.role)
  const watch = findBell(data?.watches ?? [], cveId)
  if (isPending) return slot
  // Nobody can be told, and nobody may change that.
  if (!data || (!watch && !mayWatch)) return null
  const Icon = watch ? BellRing : Bell
  return (
    <Popover
      button={{
        className: 'inline-flex h-4.5 w-18 items-center gap-1 rounded text-xs text-accent hover:underline print:hidden',
        children: (
          <>
            <Icon aria-hidden size={13} /> {watch ? 'Watched' : 'Watch'}
            <span className="sr-only"> {cveId}</span>
          </>
        ),
      }}
      popup={{ role: 'dialog', 'aria-label': `Watch ${cveId}`, className: 'w-80 max-w-[calc(100vw-1.5rem)] p-3.5' }}
    >
      {watch ? <On watch={watch} cveId={cveId} mayChange={mayWatch} /> : <Off cveId={cveId} />}
    </Popover>
  )
}

const LINK = 'text-accent underline underline-offset-2'

interface OnProps {
  readonly watch: Watch
  readonly cveId: string
  readonly mayChange: boolean
}

function On({ watch, cveId, mayChange }: OnProps) {
  const change = useWatchChange()
  const { id, on, state, snoozed_until: until } = watch
  return (
    <div className="space-y-2.5">
      <p className="font-medium">Watched</p>
      {state === 'paused' && <p>The watch is paused, so it tells nothing now.</p>}
      {state === 'snoozed' && until !== null && <p>Snoozed until {formatDate(until)}.</p>}
      <p className="text-ink-2">
        It tells when {cveId} {joinWords(listChoices(on), 'or')}.
      </p>
      <p>
        <Link to="/inbox" search={{ watch: id }} className={LINK}>
          What it told
        </Link>{' '}
        ·{' '}
        <Link to="/watches" className={LINK}>
          All watches
        </Link>
      </p>
      {mayChange && (
        <Button disabled={change.isPending} onClick={() => change.mutate({ kind: 'remove', watch, keepsView: false })}>
          Stop watching
        </Button>
      )}
      <FormError error={change.error} />
    </div>
  )
}

function Off({ cveId }: { readonly cveId: string }) {
  const change = useWatchChange()
  const [kinds, setKinds] = useState<readonly WatchKind[]>(BELL_KINDS)
  const toggle = (kind: WatchKind, isOn: boolean) =>
    setKinds(sortKinds(isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind)))
  const watch = () =>
    change.mutate({ kind: 'create', watch: { name: cveId, query: toBellQuery(cveId), on: [...kinds] } })
  return (
    <div className="space-y-2.5">
      <fieldset>
        <legend className="mb-1 font-medium">Tell me when {cveId} …</legend>
        {BELL_KINDS.map((kind) => (
          <label key={kind} className="flex min-h-6.5 items-center gap-2">
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={({ target }) => toggle(kind, target.checked)}
              className="size-4 shrink-0 accent-accent"
            />
            {KIND_WORDS[kind].choice}
          </label>
        ))}
      </fieldset>
      <p className="text-xs text-ink-3">
        For the whole account, in the{' '}
        <Link to="/inbox" className={LINK}>
          inbox
        </Link>
        . Free.
      </p>
      <Button variant="primary" disabled={change.isPending || kinds.length === 0} onClick={watch}>
        Watch
      </Button>
      <FormError error={change.error} />
    </div>
  )
}
