import { Empty } from '../../kit/empty.tsx'
import { Page } from '../../kit/page.tsx'

export function StatusPage() {
  return (
    <Page title="Status">
      <Empty title="The status of the data follows" />
    </Page>
  )
}
