// Names of the people who set states.
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from './queries.ts'
import { mayManage } from './role.ts'
import { useSession } from './use-session.ts'

/** E-mail addresses by member id, as far as the person may see them; the person's own id is "you". */
export function useActorNames(isNeeded: boolean): ReadonlyMap<string, string> {
  const session = useSession()
  const { data: members = [] } = useQuery({ ...membersQuery, enabled: isNeeded && mayManage(session?.role) })
  const own = session?.member ? [[session.member.id, 'you'] as const] : []
  return new Map([...members.map(({ id, email }) => [id, email] as const), ...own])
}
