// Builds files in the format of Debian's security tracker, with invented states.

interface State {
  readonly status: string
  readonly fixed_version?: string
  readonly urgency?: string
}

export const RESOLVED: State = { status: 'resolved', fixed_version: '1.2-3+deb12u1', urgency: 'not yet assigned' }
export const OPEN: State = { status: 'open', urgency: 'low' }

/** Entry of a CVE in the tracker's JSON file, with the state in each release. */
export function buildDebianEntry(releases: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { description: 'A text that is not stored.', scope: 'remote', releases }
}

/** A tracker with one package and the given number of CVEs in one release. */
export function buildDebianTracker(count: number): Record<string, Record<string, unknown>> {
  const entries = Array.from({ length: count }, (_, index) => [
    `CVE-2024-${10_000 + index}`,
    buildDebianEntry({ bookworm: { ...RESOLVED, repositories: { bookworm: '1.2-3+deb12u1' } } }),
  ])
  return { larkfield: Object.fromEntries(entries) }
}
