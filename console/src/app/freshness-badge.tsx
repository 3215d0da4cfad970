// Says beside the link to the status page whether the data is fresh.
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../data/queries.ts'
import { Badge } from '../kit/badge.tsx'

export function FreshnessBadge() {
  const { data } = useQuery(healthQuery)
  if (!data) return null
  const stale = Object.values(data.datasets).filter((dataset) => dataset.stale).length
  if (stale > 0) return <Badge tone="high">{stale} stale</Badge>
  return data.status === 'ok' ? <Badge tone="good">fresh</Badge> : <Badge tone="high">{data.status}</Badge>
}
