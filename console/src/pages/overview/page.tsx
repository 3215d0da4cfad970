import { Empty } from '../../kit/empty.tsx'
import { Page } from '../../kit/page.tsx'

export function OverviewPage() {
  return (
    <Page title="Overview">
      <Empty title="The overview follows" />
    </Page>
  )
}
