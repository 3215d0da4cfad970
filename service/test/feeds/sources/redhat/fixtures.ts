// Documents in the form of Red Hat's VEX files, every word of them ours.
import { zstdCompressSync } from 'node:zlib'
import type { VendorRecord } from '../../../../src/domain/vendor-record.ts'
import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { redhatFeed } from '../../../../src/feeds/sources/redhat/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { startUpstream, type Upstream } from '../../../support/network/upstream.ts'
import type { Machine } from '../../feed-harness.ts'
import { tarOf } from '../../formats/tar-builder.ts'

export interface Said {
  readonly at?: string
  readonly text?: string
  readonly document?: Readonly<Record<string, unknown>>
  readonly vulnerability?: Readonly<Record<string, unknown>>
  readonly tree?: unknown
}

const RHEL9 = {
  name: 'Red Hat Enterprise Linux 9',
  product_id: 'rhel9',
  product_identification_helper: { cpe: 'cpe:/o:redhat:enterprise_linux:9' },
}

export function component(id: string, purl?: string, name = id) {
  const helper = purl === undefined ? {} : { product_identification_helper: { purl } }
  return { category: 'product_version', name, product: { name, product_id: id, ...helper } }
}

export function partOf(component: string, product: string, id = `${product}:${component}`) {
  return {
    category: 'default_component_of',
    full_product_name: { name: `${component} as a component of ${product}`, product_id: id },
    product_reference: component,
    relates_to_product_reference: product,
  }
}

export function vendorTree(branches: readonly unknown[], relationships: readonly unknown[] = []) {
  const family = {
    category: 'product_family',
    name: RHEL9.name,
    branches: [{ category: 'product_name', name: RHEL9.name, product: RHEL9 }],
  }
  return { branches: [{ category: 'vendor', name: 'Red Hat', branches: [family, ...branches] }], relationships }
}

const KETTLE_TREE = vendorTree([component('kettle', 'pkg:rpm/redhat/kettle?arch=src')], [partOf('kettle', 'rhel9')])

export function vex(id: string, { at, text, document, vulnerability, tree }: Said = {}) {
  return {
    document: {
      aggregate_severity: { namespace: 'https://access.redhat.com/security/updates/classification/', text: 'moderate' },
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: 'kettle: boils over',
      tracking: {
        id,
        status: 'final',
        initial_release_date: '2024-02-01T00:00:00+00:00',
        current_release_date: at ?? '2026-08-01T10:00:00+00:00',
      },
      ...document,
    },
    product_tree: tree ?? KETTLE_TREE,
    vulnerabilities: [
      {
        cve: id,
        cwe: { id: 'CWE-400', name: 'Uncontrolled Resource Consumption' },
        notes: [
          { category: 'description', text: text ?? 'The kettle boils over.', title: 'Vulnerability description' },
        ],
        product_status: { known_affected: ['rhel9:kettle'] },
        references: [
          { category: 'self', summary: 'Canonical URL', url: `https://access.redhat.com/security/cve/${id}` },
        ],
        scores: [
          {
            cvss_v3: { baseScore: 6.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H', version: '3.1' },
            products: ['rhel9:kettle'],
          },
        ],
        threats: [{ category: 'impact', details: 'Moderate', product_ids: ['rhel9:kettle'] }],
        ...vulnerability,
      },
    ],
  }
}

export type Vex = ReturnType<typeof vex>

const idOf = (each: Vex) => each.document.tracking.id
export const pathOf = (id: string) => `${id.slice(4, 8)}/${id.toLowerCase()}.json`
export const manyVex = (count: number, said?: Said) =>
  Array.from({ length: count }, (_, index) => vex(`CVE-2024-${10_000 + index}`, said))

export function archiveOf(...documents: readonly Vex[]): Buffer {
  const files = documents.map((each) => ({ name: pathOf(idOf(each)), content: JSON.stringify(each, null, 2) }))
  return zstdCompressSync(tarOf([{ name: '2024/', type: '5' }, ...files]))
}

export const listOf = (...lines: readonly (readonly [string, string])[]) =>
  lines.map(([path, at]) => `"${path}","${at}"\n`).join('')

export const STORED = `
  select cve_id as id, modified, record::json
    from source.source_record
   where source = 'redhat'
   order by cve_id`

interface Site {
  readonly machine: Machine
  readonly upstream: Upstream
  readonly pauses: readonly number[]
  sync(): Promise<RunReport>
  /** The paths of what was asked for since the last time, in order of their names. */
  asked(): readonly string[]
  serveArchive(day: string, ...documents: readonly Vex[]): void
  /** These files, and a list of all of them; their times are those of their documents unless said otherwise. */
  serveFiles(...documents: readonly Vex[]): void
  /** Id and text of each record. */
  stored(): Promise<readonly string[]>
  cursor(): Promise<unknown>
}

/** On the machine of the file, emptied. */
export async function redhatSite(
  machine: Machine,
  settings: { readonly filesPerRun?: number; readonly pauseMs?: number } = {},
): Promise<Site> {
  const upstream = await startUpstream({
    '/vex/deletions.csv': listOf(['2019/cve-2019-0001.json', '2020-01-01T00:00:00+00:00']),
  })
  await machine.reset()
  const download = testDownload([upstream])
  const feed = redhatFeed({ url: `${upstream.url}/vex/`, filesPerRun: 50, pauseMs: 0, ...settings })
  let known = 0
  return {
    machine,
    upstream,
    pauses: download.pauses,
    sync: () => machine.run(feed, { openDownload: () => download }),
    asked: () => {
      const all = upstream.requests().map(({ path }) => path.replace('/vex/', ''))
      const fresh = all.slice(known)
      known = all.length
      return fresh.sort()
    },
    serveArchive: (day, ...documents) => {
      upstream.serve('/vex/archive_latest.txt', `csaf_vex_${day}.tar.zst\n`)
      upstream.serve(`/vex/csaf_vex_${day}.tar.zst`, archiveOf(...documents))
    },
    serveFiles: (...documents) => {
      for (const each of documents) upstream.serve(`/vex/${pathOf(idOf(each))}`, each)
      const lines = documents.map((each) => [pathOf(idOf(each)), each.document.tracking.current_release_date] as const)
      upstream.serve('/vex/changes.csv', listOf(...lines))
    },
    stored: async () => {
      const rows = await machine.look<{ id: string; record: VendorRecord }>(STORED)
      return rows.map(({ id, record }) => `${id} ${record.withdrawn ? 'withdrawn' : record.description}`)
    },
    cursor: async () =>
      (await machine.look<{ cursor: unknown }>("select cursor from source.feed where name = 'redhat'"))[0]?.cursor,
  }
}
