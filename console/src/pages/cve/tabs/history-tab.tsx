// What changed: the changes of the record, and the record of an earlier day.
import type { Cve } from 'vis-sdk'
import { ChangesPanel } from '../panels/changes-panel.tsx'
import { PastPanel } from '../panels/past-panel.tsx'

export function HistoryTab({ cve }: { readonly cve: Cve }) {
  return (
    <>
      <ChangesPanel id={cve.cve_id} />
      <PastPanel cve={cve} />
    </>
  )
}
