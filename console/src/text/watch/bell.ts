// The watch of one CVE, which the bell on its page turns on and off.
import type { View, Watch, WatchKind } from 'vis-sdk'

/** What the bell offers. A CVE with a page is published, so it cannot enter the search of its own id. */
export const BELL_KINDS: readonly WatchKind[] = [
  'exploited',
  'ransomware_added',
  'priority_raised',
  'exploit_added',
  'patch_added',
  'epss_rise',
]

export const toBellQuery = (cveId: string): string => `ids=${cveId}`

/** Returns the one CVE that a query asks for; undefined if it has another filter, or several ids. */
export function readBellQuery(query: string): string | undefined {
  const values = new URLSearchParams(query)
  const names = [...values.keys()].filter((name) => name !== 'sort')
  const id = values.get('ids')
  return names.length === 1 && id !== null && /^CVE-\d{4}-\d{4,19}$/.test(id) ? id : undefined
}

/** Returns whether a view is only there because somebody watches one CVE. The lists of views leave it out. */
export const isBell = ({ on, query }: Pick<View, 'on' | 'query'>): boolean =>
  on !== null && readBellQuery(query) !== undefined

export function findBell(watches: readonly Watch[], cveId: string): Watch | undefined {
  return watches.find(({ query }) => readBellQuery(query) === cveId)
}
