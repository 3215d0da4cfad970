// The page of one CVE: what it is, how urgent it is, what to do, and who says so.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isVisError } from 'vis-sdk'
import { cveQuery } from '../../data/cve-query.ts'
import { describeGeneralGaps, listNeverLoaded } from '../../data/datasets.ts'
import { healthQuery } from '../../data/queries.ts'
import { Page } from '../../kit/page.tsx'
import { Panel } from '../../kit/panel.tsx'
import { QueryState } from '../../kit/states/query-state.tsx'
import { parseCveIds } from '../../text/cve-id.ts'
import { RecordView } from './record-view.tsx'
import { InvalidId, UnknownCve } from './unknown-cve.tsx'

export function CvePage() {
  const { cveId = '' } = useParams({ strict: false })
  const [id, ...others] = parseCveIds(cveId)
  if (id === undefined || others.length > 0) return <InvalidId text={cveId} />
  return <CveView key={id} id={id} />
}

function CveView({ id }: { readonly id: string }) {
  const query = useQuery(cveQuery(id))
  const health = useQuery(healthQuery)
  if (isVisError(query.error) && query.error.status === 404) return <UnknownCve id={id} />
  if (query.data !== undefined)
    return (
      <RecordView cve={query.data} neverLoaded={listNeverLoaded(health.data)} gaps={describeGeneralGaps(health.data)} />
    )
  return (
    <Page title={id}>
      <Panel>
        <QueryState query={query} label={`Loading ${id}`} lines={8}>
          {() => null}
        </QueryState>
      </Panel>
    </Page>
  )
}
