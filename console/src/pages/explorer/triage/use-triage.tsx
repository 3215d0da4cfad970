// The states of the listed CVEs, and the dialog that changes them.
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { mayManage } from '../../../data/role.ts'
import { useTriageEntries } from '../../../data/triage.ts'
import { useSession } from '../../../data/use-session.ts'
import type { Row } from '../row.ts'

/** Loaded when it is opened for the first time. */
const StateEditor = lazy(async () => ({ default: (await import('./state-editor.tsx')).StateEditor }))

interface Triage {
  /** The rows with their states. */
  readonly rows: readonly Row[]
  readonly ids: readonly string[]
  /** Viewers see states and cannot change them. */
  readonly canChange: boolean
  /** Opens the dialog for these CVEs. */
  readonly edit: (ids: Iterable<string>) => void
  readonly editor: ReactNode
  /** What the last change did. */
  readonly message: string
}

export function useTriage(listed: readonly Row[]): Triage {
  const canChange = mayManage(useSession()?.role)
  const ids = useMemo(() => listed.map(({ cve_id }) => cve_id), [listed])
  const entries = useTriageEntries(ids)
  const rows = useMemo(
    () =>
      listed.map((row) => {
        const triage = entries.get(row.cve_id)
        return triage ? { ...row, triage } : row
      }),
    [listed, entries],
  )
  const [edited, setEdited] = useState<readonly string[]>([])
  const [message, setMessage] = useState('')
  const close = () => setEdited([])
  const finish = (done: string) => {
    setMessage(done)
    close()
  }
  const chosen = rows.filter(({ cve_id }) => edited.includes(cve_id))
  return {
    rows,
    ids,
    canChange,
    edit: (chosenIds) => setEdited([...chosenIds]),
    editor: chosen.length > 0 && (
      <Suspense>
        <StateEditor rows={chosen} entries={entries} onDone={finish} onClose={close} />
      </Suspense>
    ),
    message,
  }
}
