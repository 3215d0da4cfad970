// What the account decided about the CVE, below the verdict. Earlier states are in the tab "History".
import { useQuery } from '@tanstack/react-query'
import { useActorNames } from '../../../data/actor-names.ts'
import { cveTriageQuery } from '../../../data/triage.ts'
import { Panel } from '../../../kit/panel.tsx'
import { EntryList } from '../../../kit/triage/entry-list.tsx'

export function CurrentTriagePanel({ id }: { readonly id: string }) {
  const { data } = useQuery(cveTriageQuery(id))
  const entries = data?.triage_entries ?? []
  const names = useActorNames(entries.length > 0)
  if (entries.length === 0) return null
  return (
    <Panel title="State">
      <EntryList entries={entries} names={names} />
    </Panel>
  )
}
