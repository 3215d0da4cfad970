// The first load of the service's catalog, as /health describes it.
import type { Health } from 'vis-sdk'

/** Returns undefined if the catalog is loaded. Services of earlier releases do not say. */
export function describeLoading({ loading }: Partial<Pick<Health, 'loading'>>): string | undefined {
  if (!loading) return undefined
  const { feeds_done, feeds_total, waiting_for, cves_done, cves_total } = loading
  const cves =
    cves_total === null ? 'no CVE is published yet' : `${format(cves_done)} of ${format(cves_total)} CVEs are published`
  const waiting = waiting_for.length === 0 ? '' : `, waiting for ${waiting_for.join(', ')}`
  return `${format(feeds_done)} of ${format(feeds_total)} feeds have run, ${cves}${waiting}`
}

const format = (count: number) => count.toLocaleString('en')
