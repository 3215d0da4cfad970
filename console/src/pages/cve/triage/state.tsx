// What the account decided about the CVE: the chip in the verdict, and the dialog that changes it (key s).
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Cve } from 'vis-sdk'
import { mayManage } from '../../../data/role.ts'
import { cveTriageQuery } from '../../../data/triage.ts'
import { useSession } from '../../../data/use-session.ts'
import { useKeys } from '../../../kit/keys.ts'
import { StateChip } from '../../../kit/triage/state-chip.tsx'

/** Loaded when it is opened for the first time. */
const StateEditor = lazy(async () => ({ default: (await import('./state-editor.tsx')).StateEditor }))

interface TriageStateProps {
  readonly cve: Cve
  /** Keeps the place of the state until it has been read. An import of it would make the page a part of this chunk. */
  readonly slot: ReactNode
}

export function TriageState({ cve, slot }: TriageStateProps) {
  const { data, isPending } = useQuery(cveTriageQuery(cve.cve_id))
  const canChange = mayManage(useSession()?.role)
  const [isOpen, setIsOpen] = useState(false)
  const [message, setMessage] = useState('')
  const entries = data?.triage_entries ?? []
  useKeys('CVE', canChange ? [{ keys: 's', label: 'Set the state', run: () => setIsOpen(data !== undefined) }] : [])
  return (
    <>
      {isPending ? slot : <StateChip entries={entries} />}
      {canChange && data && (
        <button
          type="button"
          onClick={() => setIsOpen(true)}
          className="rounded text-xs text-accent hover:underline print:hidden"
        >
          {entries.length === 0 ? 'Set state' : 'Change state'}
        </button>
      )}
      <span role="status" className="text-xs text-ink-2 empty:hidden">
        {message}
      </span>
      {isOpen && (
        <Suspense>
          <StateEditor
            cve={cve}
            onDone={(done) => {
              setMessage(done)
              setIsOpen(false)
            }}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
