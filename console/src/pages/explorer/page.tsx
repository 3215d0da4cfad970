import { Empty } from '../../kit/empty.tsx'
import { Page } from '../../kit/page.tsx'

export function ExplorerPage() {
  return (
    <Page title="CVEs">
      <Empty title="The list of CVEs follows" />
    </Page>
  )
}
