// Invented GitHub advisories in OSV and API format, and a harness that imports them.
import { ghsaFeed } from '../../../../src/feeds/sources/ghsa/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'
import { createZip } from '../../formats/zip-builder.ts'

const ARCHIVE = 'advisory-database-main.zip'

type Members = Readonly<Record<string, unknown>>

/** One GitHub advisory in OSV format and in API format. */
export interface AdvisoryPair {
  readonly id: string
  readonly osv: Members
  readonly api: Members
}

export function ghsaId(index: number): string {
  const digits = String(index).padStart(8, '0')
  return `GHSA-2222-${digits.slice(0, 4)}-${digits.slice(4)}`
}

export function cveId(index: number): string {
  return `CVE-2024-${10_000 + index}`
}

interface AdvisoryOptions {
  readonly cve?: string | null
  readonly modified?: string
  readonly title?: string
  readonly withdrawn?: string | null
}

interface AdvisoryFields extends Required<AdvisoryOptions> {
  readonly id: string
  readonly urls: readonly string[]
}

const SOURCE = 'https://github.com/larkfield/larkfield-http'
const DESCRIPTION = 'A line break in the redirect target is written to the response header.'
const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N'
const PUBLISHED = '2024-05-06T07:08:09Z'

export function advisory(index: number, options: AdvisoryOptions = {}): AdvisoryPair {
  const {
    cve = cveId(index),
    modified = '2026-08-01T10:00:00Z',
    title = 'HTTP response splitting in redirects',
    withdrawn = null,
  } = options
  const id = ghsaId(index)
  const urls = [`${SOURCE}/security/advisories/${id}`, 'https://larkfield.example/security/redirects']
  const fields = { id, cve, modified, title, withdrawn, urls }
  return { id, osv: toOsvFormat(fields), api: toApiFormat(fields) }
}

function toOsvFormat({ id, cve, modified, title, withdrawn, urls }: AdvisoryFields): Members {
  const events = [{ introduced: '0' }, { fixed: '1.2.0' }]
  return {
    schema_version: '1.4.0',
    id,
    modified,
    published: PUBLISHED,
    ...(withdrawn !== null && { withdrawn }),
    aliases: cve === null ? [] : [cve],
    summary: title,
    details: DESCRIPTION,
    severity: [{ type: 'CVSS_V3', score: VECTOR }],
    affected: [{ package: { ecosystem: 'PyPI', name: 'larkfield-http' }, ranges: [{ type: 'ECOSYSTEM', events }] }],
    references: [...urls.map((url) => ({ type: 'WEB', url })), { type: 'PACKAGE', url: SOURCE }],
    database_specific: { cwe_ids: ['CWE-113', 'CWE-74'], severity: 'MODERATE', github_reviewed: true },
  }
}

function toApiFormat({ id, cve, modified, title, withdrawn, urls }: AdvisoryFields): Members {
  const page = `https://github.com/advisories/${id}`
  const versions = { vulnerable_version_range: '< 1.2.0', first_patched_version: '1.2.0' }
  return {
    ghsa_id: id,
    cve_id: cve,
    html_url: page,
    summary: title,
    description: DESCRIPTION,
    type: 'reviewed',
    severity: 'medium',
    source_code_location: SOURCE,
    references: [...urls, page],
    published_at: PUBLISHED,
    updated_at: modified,
    withdrawn_at: withdrawn,
    vulnerabilities: [{ package: { ecosystem: 'pip', name: 'larkfield-http' }, ...versions }],
    cvss_severities: {
      cvss_v3: { vector_string: VECTOR, score: 5.3 },
      cvss_v4: { vector_string: null, score: 0 },
    },
    cwes: [{ cwe_id: 'CWE-74', name: 'Injection' }, { cwe_id: 'CWE-113' }],
  }
}

export const advisories = (count: number, options: AdvisoryOptions = {}) =>
  Array.from({ length: count }, (_, index) => advisory(index, options))

/** Builds a zip archive in the layout of GitHub's advisory repository, with one additional unreviewed advisory. */
export function asArchive(all: readonly AdvisoryPair[]): Buffer {
  const files = all.map(({ id, osv }) => ({
    name: `advisory-database-main/advisories/github-reviewed/2024/05/${id}/${id}.json`,
    content: JSON.stringify(osv, null, 2),
  }))
  const unreviewed = advisory(9999).osv
  return createZip([
    { name: 'advisory-database-main/README.md', content: 'Read me.' },
    {
      name: 'advisory-database-main/advisories/unreviewed/2024/05/GHSA-x/GHSA-x.json',
      content: JSON.stringify(unreviewed),
    },
    ...files,
  ])
}

const asLines = (all: readonly unknown[]) => `${all.map((each) => JSON.stringify(each)).join('\n')}\n`

export async function ghsaHarness() {
  const harness = await createFeedHarness()
  const feed = ghsaFeed({ archiveUrl: 'https://ghsa.example/', apiUrl: 'https://ghsa.example/api', token: null })
  return {
    ...harness,
    feed,
    readArchive: (content: Buffer, allowed: readonly string[] = []) =>
      harness.importFiles(feed, { [ARCHIVE]: content }, { allowed: new Set(allowed) }),
    readLines: (all: readonly unknown[]) => harness.importFiles(feed, { 'ghsa.ndjson.gz': asLines(all) }),
    stored: () =>
      harness.selectRows<{ id: string; cve: string | null; modified: Date; record: Record<string, unknown> }>(
        'select ghsa_id as id, cve_id as cve, modified, record::json from source.ghsa_advisory order by ghsa_id',
      ),
    queued: async () => (await harness.listQueued()).toSorted(),
    clearQueue: () => harness.selectRows('delete from source.publication_queue'),
  }
}
