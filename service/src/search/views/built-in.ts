// The views that every account has, as data: the console and visctl show the same ones.

export interface BuiltInView {
  readonly id: string
  readonly name: string
  /** What the view shows, and what it does not say. */
  readonly note: string
  readonly query: string
}

export const BUILT_IN_VIEWS: readonly BuiltInView[] = [
  {
    id: 'became-urgent',
    name: 'Became urgent this week',
    note: 'CVEs that reached P0 or P1 within the last 7 days because upstream data changed. Their level can be lower by now.',
    query: 'became_urgent_after=today-7d&sort=level_desc',
  },
  {
    id: 'exploited-without-fix',
    name: 'Exploited, no fix named',
    note: 'Exploited CVEs for which no source names a fixed version. A fix can exist all the same.',
    query: 'has_fix=false&exploit_maturity=active,ransomware&sort=level_desc',
  },
  {
    id: 'not-assessed',
    name: 'Not assessed yet',
    note: 'CVEs of which nothing is known yet that gives them a level. They can be harmless or urgent.',
    query: 'priority=unrated&sort=published_desc',
  },
  {
    id: 'new-in-kev',
    name: 'New in KEV',
    note: 'CVEs that CISA added to its catalog of known exploited vulnerabilities within the last 30 days.',
    query: 'kev_added_after=today-30d&sort=level_desc',
  },
]
