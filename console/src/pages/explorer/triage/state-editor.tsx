// The dialog for the state of the chosen CVEs or of the current one.
import { type EntriesByCve, useTriageEditor } from '../../../data/triage.ts'
import { StateDialog } from '../../../kit/triage/state-dialog.tsx'
import { listScopes } from '../../../text/triage.ts'
import type { Row } from '../row.ts'

interface StateEditorProps {
  readonly rows: readonly Row[]
  readonly entries: EntriesByCve
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

export function StateEditor({ rows, entries, onDone, onClose }: StateEditorProps) {
  const editor = useTriageEditor({ ids: rows.map(({ cve_id }) => cve_id), entries, onDone })
  const scopes = [...new Set(rows.flatMap(listScopes))]
  const urgencies = rows.map(({ kev, priority }) => ({
    isExploited: kev !== undefined || priority?.ssvc?.exploitation === 'active',
    level: priority?.level,
  }))
  return <StateDialog {...editor} scopes={scopes} urgencies={urgencies} onClose={onClose} />
}
