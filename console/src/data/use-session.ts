import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from './queries.ts'

/** Returns the session of the person, or undefined while it is loaded or if nobody is signed in. */
export function useSession() {
  return useQuery(sessionQuery).data?.session ?? undefined
}
