// Builds KEV catalogs in the format of CISA with an invented vendor, and a harness that imports them.
import type { RunDependencies } from '../../../../src/feeds/engine/run.ts'
import { kevFeed } from '../../../../src/feeds/sources/kev/feed.ts'
import { createFeedHarness } from '../../feed-harness.ts'

export const FILE = 'known_exploited_vulnerabilities.json'
export const RELEASED = '2026-08-20T15:00:00.1234Z'

export function buildEntry(cveID: string, changed: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    cveID,
    vendorProject: 'Halvorsen',
    product: 'MailGate',
    vulnerabilityName: 'Halvorsen MailGate Authentication Bypass Vulnerability',
    dateAdded: '2026-08-19',
    shortDescription: 'Halvorsen MailGate has an authentication bypass vulnerability in its web interface.',
    requiredAction: 'Apply the vendor updates or stop using the product.',
    dueDate: '2026-09-02',
    knownRansomwareCampaignUse: 'Unknown',
    notes: 'https://halvorsen.example/advisories/1',
    cwes: ['CWE-20'],
    ...changed,
  }
}

export function omitMember(member: string, from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name !== member))
}

export function buildEntries(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => buildEntry(`CVE-2024-${10_000 + index}`))
}

export function buildCatalog(
  vulnerabilities: readonly unknown[],
  changed: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    title: 'Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2026.08.20',
    dateReleased: RELEASED,
    count: vulnerabilities.length,
    ...changed,
    vulnerabilities,
  }
}

export async function createKevHarness() {
  const harness = await createFeedHarness()
  const feed = kevFeed({ url: 'https://kev.example/' })
  return {
    ...harness,
    /** Runs the KEV feed on a directory that contains only the given catalog. */
    importCatalog: (content: Readonly<Record<string, unknown>>, changed?: Partial<RunDependencies>) =>
      harness.importFiles(feed, { [FILE]: JSON.stringify(content) }, changed),
    /** Returns all stored KEV entries, including removed entries. */
    listStored: () =>
      harness.selectRows<Record<string, unknown>>(`
        select cve_id, vendor_project, product, vulnerability_name, date_added::text, short_description,
               required_action, due_date::text, known_ransomware, notes, cwes, first_stored_at, removed_at
          from source.kev_entry
         order by cve_id
      `),
  }
}
