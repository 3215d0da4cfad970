import { useParams } from '@tanstack/react-router'
import { Empty } from '../../kit/empty.tsx'
import { Page } from '../../kit/page.tsx'

export function CvePage() {
  const { cveId = '' } = useParams({ strict: false })
  return (
    <Page title={cveId}>
      <Empty title="The page of a CVE follows" />
    </Page>
  )
}
