// The dialog for the state of the CVE.
import { useQuery } from '@tanstack/react-query'
import type { Cve } from 'vis-sdk'
import { cveTriageQuery, useTriageEditor } from '../../../data/triage.ts'
import { StateDialog } from '../../../kit/triage/state-dialog.tsx'
import { listScopes } from '../../../text/triage.ts'

interface StateEditorProps {
  readonly cve: Cve
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

export function StateEditor({ cve, onDone, onClose }: StateEditorProps) {
  const { data } = useQuery(cveTriageQuery(cve.cve_id))
  const entries = new Map([[cve.cve_id, data?.triage_entries ?? []]])
  const editor = useTriageEditor({ ids: [cve.cve_id], entries, onDone })
  const { kev, exploits, priority } = cve
  const isExploited = Boolean(kev) || exploits?.maturity === 'active' || exploits?.maturity === 'ransomware'
  const urgencies = [{ isExploited, level: priority?.level }]
  return <StateDialog {...editor} scopes={listScopes(cve)} urgencies={urgencies} onClose={onClose} />
}
