// Queries that several pages share. Queries for a single page are in that page's folder.
import { queryOptions } from '@tanstack/react-query'
import { client, publicClient } from './client.ts'
import { readSession } from './session.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  meta: { isPublic: true },
})

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => client.usage({ signal }),
})

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => publicClient.health({ signal }),
  meta: { isPublic: true },
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => client.keys({ signal }),
})

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => client.members({ signal }),
})
