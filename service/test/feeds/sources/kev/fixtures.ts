// Catalogues in CISA's form, and a feed that reads them. Every sentence in them is ours.

import type { RunReport, RunTools } from '../../../../src/feeds/engine/run.ts'
import { kevFeed } from '../../../../src/feeds/sources/kev/feed.ts'
import { type Machine, testMachine } from '../../feed-harness.ts'
import { directoryWith } from '../../small-files.ts'

export const FILE = 'known_exploited_vulnerabilities.json'
export const RELEASED = '2026-08-20T15:00:00.1234Z'

export function entry(cveID: string, said: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    cveID,
    vendorProject: 'Kettle',
    product: 'Teapot',
    vulnerabilityName: 'Kettle Teapot Spout Vulnerability',
    dateAdded: '2026-08-19',
    shortDescription: 'The spout of the teapot lets anybody pour.',
    requiredAction: 'Put the lid on.',
    dueDate: '2026-09-02',
    knownRansomwareCampaignUse: 'Unknown',
    notes: 'https://teapots.example/1',
    cwes: ['CWE-20'],
    ...said,
  }
}

export function without(member: string, from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name !== member))
}

export function entries(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => entry(`CVE-2024-${10_000 + index}`))
}

export function catalogue(
  vulnerabilities: readonly unknown[],
  said: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    title: 'Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2026.08.20',
    dateReleased: RELEASED,
    count: vulnerabilities.length,
    ...said,
    vulnerabilities,
  }
}

export interface KevMachine extends Machine {
  /** From a directory with nothing but this catalogue in it. */
  read(content: Readonly<Record<string, unknown>>, changed?: Partial<RunTools>): Promise<RunReport>
  /** What is in the catalogue, and was. */
  stored(): Promise<Record<string, unknown>[]>
  queued(): Promise<string[]>
  /** As if nothing had ever been read. */
  reset(): Promise<void>
}

export async function kevMachine(): Promise<KevMachine> {
  const machine = await testMachine()
  return {
    ...machine,
    read: async (content, changed = {}) => {
      const from = await directoryWith({ [FILE]: JSON.stringify(content) })
      return machine.run(kevFeed({ url: 'https://kev.example/' }), { from, ...changed })
    },
    stored: () =>
      machine.look(`
        select cve_id, vendor_project, product, vulnerability_name, date_added::text, short_description,
               required_action, due_date::text, known_ransomware, notes, cwes, first_stored_at, removed_at
          from source.kev_entry
         order by cve_id
      `),
    queued: async () => {
      const rows = await machine.look<{ id: string }>(
        "select cve_id as id from source.publication_queue where feed = 'kev' order by seq",
      )
      return rows.map(({ id }) => id)
    },
    reset: async () => {
      await machine.look('truncate source.kev_entry, source.publication_queue, source.feed cascade')
      await machine.look("update catalog.dataset set table_count = 0 where name = 'kev'")
    },
  }
}
