// Rebuilds CISA's KEV catalog of each week from the history of its releases.

interface Entry {
  readonly cveID: string
}

/** A line of kev-history.ndjson: a whole release, or the differences from the one before. */
export interface KevRelease {
  readonly catalogVersion: string
  readonly dateReleased: string
  readonly vulnerabilities?: readonly Entry[]
  readonly added?: readonly Entry[]
  readonly changed?: readonly { readonly cveID: string; readonly now: Readonly<Record<string, unknown>> }[]
  readonly removed?: readonly string[]
}

export interface KevCatalog {
  readonly title: string
  readonly catalogVersion: string
  readonly dateReleased: string
  readonly count: number
  readonly vulnerabilities: readonly Entry[]
}

/** Calls `onRelease` with the whole catalog after each release. */
export function replayReleases(releases: Iterable<KevRelease>, onRelease: (catalog: KevCatalog) => void): void {
  let entries = new Map<string, Entry>()
  for (const release of releases) {
    if (release.vulnerabilities) entries = new Map(release.vulnerabilities.map((each) => [each.cveID, each]))
    for (const id of release.removed ?? []) entries.delete(id)
    for (const each of release.added ?? []) entries.set(each.cveID, each)
    for (const { cveID, now } of release.changed ?? []) {
      const known = entries.get(cveID)
      if (known) entries.set(cveID, { ...known, ...now })
    }
    const { catalogVersion, dateReleased } = release
    onRelease({
      title: 'Known exploited vulnerabilities, rebuilt from the history of releases',
      catalogVersion,
      dateReleased,
      count: entries.size,
      vulnerabilities: [...entries.values()],
    })
  }
}
