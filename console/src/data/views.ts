// Saved searches: the account's shared views, the person's own ones, and those that everybody has.
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => client.views({ signal }),
})
