// Who says what, the scores, and the record for programs.
import type { Cve } from 'vis-sdk'
import { isRejected } from '../../../text/verdict/facts.ts'
import { SourceMatrix } from '../matrix/panel.tsx'
import { JsonPanel, ProgramPanel } from '../panels/program-panel.tsx'
import { ScorePanel } from '../panels/score-panel.tsx'

export function SourcesTab({ cve }: { readonly cve: Cve }) {
  return (
    <>
      <SourceMatrix cve={cve} />
      {!isRejected(cve) && <ScorePanel cve={cve} />}
      <ProgramPanel id={cve.cve_id} />
      <JsonPanel cve={cve} />
    </>
  )
}
