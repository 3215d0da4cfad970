import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from './queries.ts'

/** Returns the person's session, or undefined while it is loading or if no one is signed in. */
export function useSession() {
  return useQuery(sessionQuery).data?.session ?? undefined
}
