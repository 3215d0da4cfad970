// Reads of the overview. Each is one call of at most ten records.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'

const SHOWN = 8

export const newKevQuery = queryOptions({
  queryKey: ['kev', 'newest'],
  queryFn: async ({ signal }) => (await client.kev({ limit: SHOWN, signal }).page()).items,
})

const FIELDS = ['cve_id', 'description', 'severity', 'cvss', 'published', 'epss', 'kev'] as const

export const newCriticalQuery = queryOptions({
  queryKey: ['cves', 'newest-critical'],
  queryFn: async ({ signal }) =>
    (
      await client
        .search({ severity: ['critical'], sort: 'published_desc', limit: SHOWN, fields: FIELDS, signal })
        .page()
    ).items,
})
