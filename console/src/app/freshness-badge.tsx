// Shows next to the link to the status page whether the data is fresh.
import { useQuery } from '@tanstack/react-query'
import { isNotSetUp, isOutdated } from '../data/datasets.ts'
import { healthQuery } from '../data/queries.ts'
import { Badge } from '../kit/badge.tsx'

export function FreshnessBadge() {
  const { data } = useQuery(healthQuery)
  if (!data) return null
  if (data.loading) return <Badge tone="high">loading</Badge>
  const datasets = Object.values(data.datasets)
  const stale = datasets.filter(isOutdated).length
  if (stale > 0) return <Badge tone="high">{stale} stale</Badge>
  // Data sets that are not set up also degrade the status.
  return data.status === 'ok' || datasets.some(isNotSetUp) ? (
    <Badge tone="good">fresh</Badge>
  ) : (
    <Badge tone="high">{data.status}</Badge>
  )
}
