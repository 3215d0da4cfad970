import { Link } from '@tanstack/react-router'
import { Page } from '../kit/page.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty } from '../kit/states/empty.tsx'
import { Shell } from './shell.tsx'

/** The page for addresses that do not exist, inside the frame, so that every other page is one click away. */
export function NotFound() {
  return (
    <Shell>
      <Page title="There is no such page">
        <Panel>
          <Empty title="The address is wrong or the page was moved">
            Go to{' '}
            <Link to="/" className="text-accent underline">
              Today
            </Link>{' '}
            or to the{' '}
            <Link to="/cves" className="text-accent underline">
              list of CVEs
            </Link>
            .
          </Empty>
        </Panel>
      </Page>
    </Shell>
  )
}
