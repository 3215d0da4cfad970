// Builds invented documents in the format of Red Hat's VEX files, and starts a test server that publishes them.
import { zstdCompressSync } from 'node:zlib'
import type { VendorRecord } from '../../../../src/domain/source/vendor-record.ts'
import type { RunReport } from '../../../../src/feeds/engine/run.ts'
import { redhatFeed } from '../../../../src/feeds/sources/redhat/feed.ts'
import { createTestDownload } from '../../../support/network/downloads.ts'
import { startUpstream, type Upstream } from '../../../support/network/upstream.ts'
import type { FeedHarness } from '../../feed-harness.ts'
import { buildTar } from '../../formats/tar-builder.ts'

export interface VexOptions {
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

export function containedIn(component: string, product: string, id = `${product}:${component}`) {
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

const TALLYD_TREE = vendorTree(
  [component('tallyd', 'pkg:rpm/redhat/tallyd?arch=src')],
  [containedIn('tallyd', 'rhel9')],
)

export function vex(id: string, { at, text, document, vulnerability, tree }: VexOptions = {}) {
  return {
    document: {
      aggregate_severity: { namespace: 'https://access.redhat.com/security/updates/classification/', text: 'moderate' },
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: 'tallyd: memory exhaustion',
      tracking: {
        id,
        status: 'final',
        initial_release_date: '2024-01-01T00:00:00+00:00',
        current_release_date: at ?? '2026-08-01T10:00:00+00:00',
      },
      ...document,
    },
    product_tree: tree ?? TALLYD_TREE,
    vulnerabilities: [
      {
        cve: id,
        release_date: '2024-02-01T00:00:00+00:00',
        cwe: { id: 'CWE-400', name: 'Uncontrolled Resource Consumption' },
        notes: [
          {
            category: 'description',
            text: text ?? 'A crafted request exhausts the memory of tallyd.',
            title: 'Vulnerability description',
          },
        ],
        product_status: { known_affected: ['rhel9:tallyd'] },
        references: [
          { category: 'self', summary: 'Canonical URL', url: `https://access.redhat.com/security/cve/${id}` },
        ],
        scores: [
          {
            cvss_v3: { baseScore: 6.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H', version: '3.1' },
            products: ['rhel9:tallyd'],
          },
        ],
        threats: [{ category: 'impact', details: 'Moderate', product_ids: ['rhel9:tallyd'] }],
        ...vulnerability,
      },
    ],
  }
}

export type Vex = ReturnType<typeof vex>

const readId = (each: Vex) => each.document.tracking.id
export const toPath = (id: string) => `${id.slice(4, 8)}/${id.toLowerCase()}.json`
export const manyVex = (count: number, options?: VexOptions) =>
  Array.from({ length: count }, (_, index) => vex(`CVE-2024-${10_000 + index}`, options))

export function buildArchive(...documents: readonly Vex[]): Buffer {
  const files = documents.map((each) => ({ name: toPath(readId(each)), content: JSON.stringify(each, null, 2) }))
  return zstdCompressSync(buildTar([{ name: '2024/', type: '5' }, ...files]))
}

export const buildList = (...lines: readonly (readonly [string, string])[]) =>
  lines.map(([path, at]) => `"${path}","${at}"\n`).join('')

export const STORED_RECORDS = `
  select cve_id as id, modified, record::json
    from source.source_record
   where source = 'redhat'
   order by cve_id`

interface RedHatServer {
  readonly harness: FeedHarness
  readonly upstream: Upstream
  readonly pauses: readonly number[]
  sync(): Promise<RunReport>
  /** Returns the paths requested since the last call of takeRequests, sorted by name. */
  takeRequests(): readonly string[]
  serveArchive(day: string, ...documents: readonly Vex[]): void
  /** Serves the given VEX documents and a changes.csv that lists the documents with their release dates. */
  serveFiles(...documents: readonly Vex[]): void
  /** Returns the id and the description of each stored Red Hat record. */
  stored(): Promise<readonly string[]>
  cursor(): Promise<unknown>
}

/** Starts a test server with the files of Red Hat and resets the test database. */
export async function startRedHat(
  harness: FeedHarness,
  settings: { readonly filesPerRun?: number; readonly pauseMs?: number } = {},
): Promise<RedHatServer> {
  const upstream = await startUpstream({
    '/vex/deletions.csv': buildList(['2019/cve-2019-0001.json', '2020-01-01T00:00:00+00:00']),
  })
  await harness.reset()
  const download = createTestDownload([upstream])
  const feed = redhatFeed({ url: `${upstream.url}/vex/`, filesPerRun: 50, pauseMs: 0, ...settings })
  let seen = 0
  return {
    harness,
    upstream,
    pauses: download.pauses,
    sync: () => harness.run(feed, { openDownload: () => download }),
    takeRequests: () => {
      const all = upstream.requests().map(({ path }) => path.replace('/vex/', ''))
      const fresh = all.slice(seen)
      seen = all.length
      return fresh.sort()
    },
    serveArchive: (day, ...documents) => {
      upstream.serve('/vex/archive_latest.txt', `csaf_vex_${day}.tar.zst\n`)
      upstream.serve(`/vex/csaf_vex_${day}.tar.zst`, buildArchive(...documents))
    },
    serveFiles: (...documents) => {
      for (const each of documents) upstream.serve(`/vex/${toPath(readId(each))}`, each)
      const lines = documents.map(
        (each) => [toPath(readId(each)), each.document.tracking.current_release_date] as const,
      )
      upstream.serve('/vex/changes.csv', buildList(...lines))
    },
    stored: async () => {
      const rows = await harness.selectRows<{ id: string; record: VendorRecord }>(STORED_RECORDS)
      return rows.map(({ id, record }) => `${id} ${record.withdrawn ? 'withdrawn' : record.description}`)
    },
    cursor: async () =>
      (await harness.selectRows<{ cursor: unknown }>("select cursor from source.feed where name = 'redhat'"))[0]
        ?.cursor,
  }
}
