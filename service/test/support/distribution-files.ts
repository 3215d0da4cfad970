// Invented records of distributions, in the forms of their databases.

interface Affected {
  readonly in: string
  readonly name: string
  /** Absent if there is no fix. */
  readonly fixed?: string
}

/** A record in OSV form about one CVE. */
export function osvRecord(id: string, cveIds: readonly string[], affected: readonly Affected[]) {
  return {
    id,
    modified: '2026-08-01T10:00:00Z',
    published: '2026-07-01T10:00:00Z',
    upstream: cveIds,
    details: 'A long header ends the program.',
    affected: affected.map(({ in: ecosystem, name, fixed }) => ({
      package: { ecosystem, name },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])] }],
    })),
  }
}
