// Reads for the overview. Each is one call for at most ten records.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'

const SHOWN = 6

export const newKevQuery = queryOptions({
  queryKey: ['kev', 'newest'],
  queryFn: async ({ signal }) => (await client.kev({ limit: SHOWN, signal }).page()).items,
})

const FIELDS = ['cve_id', 'description', 'severity', 'cvss', 'published', 'epss', 'kev', 'priority'] as const
const NEWEST = { sort: 'published_desc', limit: SHOWN, fields: FIELDS, include: ['priority'] } as const

export const newUrgentQuery = queryOptions({
  queryKey: ['cves', 'newest-urgent'],
  queryFn: async ({ signal }) => (await client.search({ ...NEWEST, priority: ['P0', 'P1'], signal }).page()).items,
})

export const newCriticalQuery = queryOptions({
  queryKey: ['cves', 'newest-critical'],
  queryFn: async ({ signal }) => (await client.search({ ...NEWEST, severity: ['critical'], signal }).page()).items,
})

export const moversQuery = queryOptions({
  queryKey: ['epss-movers'],
  queryFn: ({ signal }) => client.epssMovers({ days: 7, direction: 'up', limit: SHOWN, signal }).page(),
})
