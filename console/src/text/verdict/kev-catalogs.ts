// The entry of a CVE in the second catalog of known exploited vulnerabilities, ENISA's EU KEV.
import type { Cve } from 'vis-sdk'

type EuKevEntry = NonNullable<Cve['exploits']>['kev_catalogs'][number]

/** Returns the entry, even a removed one, or undefined if ENISA never listed the CVE. */
export function findEuKevEntry({ exploits }: Pick<Cve, 'exploits'>): EuKevEntry | undefined {
  return exploits?.kev_catalogs.find(({ name }) => name === 'eu')
}

/** Returns the entry if ENISA currently lists the CVE. */
export function findCurrentEuKevEntry(cve: Pick<Cve, 'exploits'>): EuKevEntry | undefined {
  const entry = findEuKevEntry(cve)
  return entry?.removed_at === null ? entry : undefined
}
