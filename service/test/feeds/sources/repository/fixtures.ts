// Invented advisories of repositories, as their YAML files say them, with the path of the file.
type Members = Readonly<Record<string, unknown>>

export const rubySecAdvisory = (index: number, changed: Members = {}): Record<string, unknown> => ({
  path: `gems/larkfield/CVE-2024-${10_000 + index}.yml`,
  gem: 'larkfield',
  cve: `2024-${10_000 + index}`,
  ghsa: '2222-3333-4444',
  url: 'https://example.org/larkfield/news/1',
  title: 'Larkfield trusts a header',
  date: '2024-05-06',
  description: 'The second length header is ignored.\n',
  cvss_v3: 7.5,
  unaffected_versions: ['< 1.0.0'],
  patched_versions: ['~> 1.4.2', '>= 2.0.1'],
  related: { url: ['https://example.org/larkfield/commit/1'] },
  ...changed,
})

export const friendsOfPhpAdvisory = (index: number, changed: Members = {}): Record<string, unknown> => ({
  path: `larkfield/http/CVE-2024-${10_000 + index}.yaml`,
  title: 'Larkfield trusts a header',
  link: 'https://example.org/larkfield/news/1',
  cve: `CVE-2024-${10_000 + index}`,
  branches: {
    '1.x': { time: null, versions: ['>=1.0.0', '<2.0.0'] },
    '2.x': { time: '2024-05-06 07:08:09', versions: ['>=2.0.0', '<2.1.4'] },
  },
  reference: 'composer://larkfield/http',
  ...changed,
})

export const maliciousReport = (index: number, changed: Members = {}): Record<string, unknown> => ({
  path: `osv/malicious/npm/larkfeild/MAL-2026-${1000 + index}.json`,
  schema_version: '1.5.0',
  id: `MAL-2026-${1000 + index}`,
  modified: '2026-05-06T07:08:09Z',
  published: '2026-05-05T07:08:09Z',
  summary: 'Malicious code in larkfeild (npm)',
  details: 'The package sends the keys of the machine to its author.',
  affected: [
    {
      package: { ecosystem: 'npm', name: 'larkfeild' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
    },
  ],
  ...changed,
})
