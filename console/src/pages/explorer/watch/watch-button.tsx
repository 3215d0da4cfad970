// "Watch this search": from the list to a watch in two clicks.
import { Link } from '@tanstack/react-router'
import { Bell, BellRing } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { View } from 'vis-sdk'
import { mayManage } from '../../../data/role.ts'
import { useSession } from '../../../data/use-session.ts'
import { Button, buttonClasses } from '../../../kit/controls/button.tsx'
import type { ExplorerState } from '../state.ts'
import { differsFromView } from '../views/view-state.ts'

/** Loaded when it is opened for the first time. */
const NewWatch = lazy(async () => ({ default: (await import('./new-watch.tsx')).NewWatch }))

interface WatchButtonProps {
  readonly state: ExplorerState
  /** The view in the address; undefined if there is none. */
  readonly view: View | undefined
}

export function WatchButton({ state, view }: WatchButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [message, setMessage] = useState('')
  const mayWatch = mayManage(useSession()?.role)
  const isAsSaved = view !== undefined && !differsFromView(state, view)
  if (isAsSaved && view.on !== null)
    return (
      <Link to="/inbox" search={{ watch: view.id }} className={buttonClasses()}>
        <BellRing aria-hidden size={14} className="text-accent" /> Watched
      </Link>
    )
  if (!mayWatch) return null
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Bell aria-hidden size={14} /> Watch this search
      </Button>
      {message !== '' && (
        <p role="status" className="order-last w-full text-right text-sm text-ink-2">
          {message}{' '}
          <Link to="/watches" className="text-accent underline underline-offset-2">
            Watches
          </Link>
        </p>
      )}
      {isOpen && (
        <Suspense>
          <NewWatch
            state={state}
            view={isAsSaved && view.shared && !view.built_in ? view : undefined}
            suggestedName={isAsSaved ? view.name : undefined}
            onDone={(text) => {
              setMessage(text)
              setIsOpen(false)
            }}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
