// Invented advisories in OSV format.
type Members = Readonly<Record<string, unknown>>

export function osvAdvisory(id: string, changed: Members = {}): Record<string, unknown> {
  return {
    schema_version: '1.6.0',
    id,
    modified: '2026-08-01T10:00:00Z',
    published: '2024-05-06T07:08:09Z',
    aliases: ['CVE-2024-0001', 'GHSA-2222-3333-4444'],
    summary: 'Request smuggling in larkfield/http',
    details: 'A second length header is ignored.',
    affected: [
      {
        package: { ecosystem: 'Go', name: 'example.org/larkfield/http' },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '1.0.0' }, { fixed: '1.2.0' }] }],
      },
    ],
    references: [{ type: 'FIX', url: 'https://example.org/larkfield/commit/1' }],
    ...changed,
  }
}

export const goId = (index: number) => `GO-2024-${1000 + index}`

export const goAdvisories = (count: number, changed: Members = {}) =>
  Array.from({ length: count }, (_, index) =>
    osvAdvisory(goId(index), { aliases: [`CVE-2024-${10_000 + index}`], ...changed }),
  )
