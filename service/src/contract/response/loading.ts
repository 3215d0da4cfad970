// What answers say while the catalog is loading for the first time (ADR 0030).
import { type Static, Type } from 'typebox'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const loadingSchema = Type.Object(
  {
    feeds_done: count('Number of feeds that have ended their first run.'),
    feeds_total: count('Number of feeds that the load waits for; 0 before the first feed starts.'),
    waiting_for: Type.Array(Type.String(), { description: 'Names of the feeds that have not ended their first run.' }),
    cves_done: count('Number of published CVEs. A CVE counts again if a later feed changes it.'),
    cves_total: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Number of CVEs to publish, as far as known; null before the first publication.',
    }),
  },
  { additionalProperties: false, title: 'Loading', description: 'Progress of the first load of the catalog.' },
)

export type Loading = Static<typeof loadingSchema>

export function describeLoading({ feeds_done, feeds_total, cves_done, cves_total }: Loading): string {
  if (feeds_total === 0) return 'no feed has started'
  const feeds = `${formatCount(feeds_done)} of ${formatCount(feeds_total)} feeds have run`
  return cves_total === null
    ? `${feeds}, no CVE is published yet`
    : `${feeds}, ${formatCount(cves_done)} of ${formatCount(cves_total)} CVEs are published`
}

const formatCount = (value: number) => value.toLocaleString('en')
