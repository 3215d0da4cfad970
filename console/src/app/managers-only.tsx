// Pages for managing the account. People whose role does not allow it see a message instead.
import { useQuery } from '@tanstack/react-query'
import type { RouteComponent } from '@tanstack/react-router'
import { sessionQuery } from '../data/queries.ts'
import { mayManage } from '../data/role.ts'
import { Page } from '../kit/page.tsx'
import { Panel } from '../kit/panel.tsx'
import { Empty } from '../kit/states/empty.tsx'
import { Loading } from '../kit/states/loading.tsx'

/** Wraps a page that needs the role admin or owner. */
export function managersOnly(title: string, Content: RouteComponent): RouteComponent {
  function ManagedPage() {
    const { data } = useQuery(sessionQuery)
    if (!data) return <Loading label="Loading the page" />
    const { session } = data
    // If no one is signed in, the page's first read leads to the sign-in page.
    if (!session || mayManage(session.role)) return <Content />
    return (
      <Page title={title}>
        <Panel>
          <Empty title={`Your role may not open “${title}”`}>
            {session.member
              ? `You have the role ${session.role} in ${session.account.name}. An owner of the account can give you the role admin.`
              : 'You signed in with an API key, which gives the role viewer. Sign in as a member with the role admin or owner.'}
          </Empty>
        </Panel>
      </Page>
    )
  }
  return Object.assign(ManagedPage, Content.preload ? { preload: Content.preload } : {})
}
