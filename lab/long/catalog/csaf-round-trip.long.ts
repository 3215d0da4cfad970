// Compares the detail records of CVEs with all real CSAF documents: every product status and every remediation of each
// document is in the record of its CVE, with the same product and version, or is left out with a reason.
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CSAF_SOURCES, isCsafSource } from '../../../service/src/domain/source/csaf-sources.ts'
import { toRemediationKind } from '../../../service/src/domain/source/remediation.ts'
import { feedDefinitions } from '../../../service/src/feeds/index.ts'
import { createCatalogHarness } from '../../../service/test/catalog/catalog-setup.ts'
import { createFeedHarness } from '../../../service/test/feeds/feed-harness.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import {
  type RawDocument,
  type RawRemediation,
  type RawStatus,
  readRawDocument,
  type StatedProduct,
} from './csaf-raw.ts'

const folder = realData('the round trip of CSAF documents', 'data-more')

/** Files and the names under which the feeds read them. */
const FILES = [
  ['csaf-cisa', 'csaf-cisa-ics.ndjson.gz', 'csaf-cisa-ics.ndjson.gz'],
  ['csaf-cisa', 'csaf-cisa-it.ndjson.gz', 'csaf-cisa-it.ndjson.gz'],
  ['csaf-cisco', 'csaf-cisco.ndjson.gz', 'csaf-cisco.ndjson.gz'],
  ['csaf-paloalto', 'csaf-paloalto.ndjson.gz', 'csaf-paloalto.ndjson.gz'],
  ['redhat', 'csaf-redhat-vex.ndjson.gz', 'redhat.ndjson.gz'],
] as const

interface ServedProduct {
  readonly product: string
  readonly package_url: string | null
  readonly affected?: boolean
  readonly status_unknown?: true
  readonly justification?: string
  readonly versions: readonly {
    readonly version: string | null
    readonly less_than: string | null
    readonly less_than_or_equal: string | null
    readonly product_status?: string
    readonly stated?: string
  }[]
}

interface ServedRecord {
  readonly affected_products: { readonly products: readonly ServedProduct[] }
  readonly fixes?: readonly { readonly source: string }[]
  readonly remediations?: readonly {
    readonly kind: string
    readonly text: string | null
    readonly url: string | null
    readonly source: string
    readonly applies_to: readonly {
      readonly product: string
      readonly version: string | null
      readonly package_url: string | null
    }[]
  }[]
}

type Outcome = 'found' | 'lost' | `left out: ${string}`

const BUILT = 'left out: package built from a listed source package'

describe.skipIf(folder === undefined)('The round trip of CSAF documents', () => {
  it('finds every product status and remediation in the record of its CVE', { timeout: 1_800_000 }, async () => {
    const records = await loadRecords(folder ?? '')
    const counts = new Map<string, number>()
    const lost: string[] = []
    const note = (what: string, outcome: Outcome, example: () => string) => {
      const key = `${what}, ${outcome}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (outcome === 'lost' && lost.length < 20) lost.push(example())
    }
    let documents = 0
    for (const [source, name] of FILES)
      for (const raw of await readDocuments(join(folder ?? '', name))) {
        documents += 1
        const { statuses, remediations } = readRawDocument(raw)
        for (const each of statuses) {
          const outcome = findStatus(each, source, statuses, records.get(`${source} ${each.cveId}`))
          note(`${source} statuses`, outcome, () => JSON.stringify([raw.document.tracking.id, each]))
        }
        for (const each of remediations) {
          const outcome = findRemediation(each, source, statuses, records.get(`${source} ${each.cveId}`))
          note(`${source} remediations`, outcome, () => JSON.stringify([raw.document.tracking.id, each]))
        }
      }
    for (const [what, count] of [...counts].sort()) process.stderr.write(`${what}: ${count}\n`)
    process.stderr.write(`${documents} documents, ${records.size} records\n${describeFixes(records)}\n`)
    expect(documents).toBeGreaterThan(1600)
    expect(lost).toEqual([])
  })
})

/** Counts the CVEs of each source with a remediation of kind fix or a fixed version. */
function describeFixes(records: ReadonlyMap<string, ServedRecord>): string {
  const counts = new Map<string, number>()
  for (const [key, { affected_products: named, remediations = [], fixes = [] }] of records) {
    const source = key.slice(0, key.indexOf(' '))
    const isNotAffected = named.products.some(({ versions }) =>
      versions.some((each) => each.product_status === 'known_not_affected'),
    )
    const gives = [
      ...(fixes.some((each) => each.source === source) ? ['a fixed version'] : []),
      ...(remediations.some((each) => each.source === source && each.kind === 'fix') ? ['a remediation fix'] : []),
      ...(isNotAffected ? ['a not-affected statement'] : []),
    ]
    for (const each of [...gives, 'a record']) {
      const what = `${source}: CVEs with ${each}`
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
  }
  return [...counts]
    .sort()
    .map(([what, count]) => `${what}: ${count}`)
    .join('\n')
}

/** Runs the feeds on the files and publishes the CVEs. Returns the detail records by source and CVE id. */
async function loadRecords(data: string): Promise<ReadonlyMap<string, ServedRecord>> {
  const feeds = await createFeedHarness()
  const catalog = await createCatalogHarness(feeds.url)
  const directory = await mkdtemp(join(tmpdir(), 'csaf-'))
  cleanUpAfterTests(() => rm(directory, { recursive: true }))
  for (const [, name, readAs] of FILES) await copyFile(join(data, name), join(directory, readAs))
  for (const source of new Set(FILES.map(([each]) => each))) {
    const feed = feedDefinitions.map((each) => each.configure({}).feed).find(({ name }) => name === source)
    if (feed === undefined) throw new Error(`${source} is no feed`)
    const { outcome, rejected } = await feeds.run(feed, { from: directory })
    expect([source, outcome, rejected]).toEqual([source, 'succeeded', 0])
  }
  await catalog.publish()
  const rows = await catalog.selectRows<{ key: string; record: string }>(
    'select source || $$ $$ || catalog.cve_id(cve_key) as key, record from catalog.cve_detail',
  )
  return new Map(rows.map(({ key, record }) => [key, JSON.parse(record)]))
}

async function readDocuments(path: string): Promise<readonly RawDocument[]> {
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
  const values = lines.filter((line) => line !== '').map((line): Partial<RawDocument> => JSON.parse(line))
  return values.filter((each): each is RawDocument => each.document !== undefined)
}

function findStatus(
  { cveId, status, product, flags }: RawStatus,
  source: string,
  all: readonly RawStatus[],
  record: ServedRecord | undefined,
): Outcome {
  if (!/^CVE-\d{4}-\d{4,}$/.test(cveId)) return 'left out: advisory without a CVE id'
  const served = record?.affected_products.products ?? []
  if (!isCsafSource(source)) {
    if (served.some((each) => isServedByRedHat(each, status, product))) return 'found'
    return isBuilt(product, all) ? BUILT : 'lost'
  }
  const isFound = served.some(
    (each) =>
      each.product === product.product &&
      (flags.length === 0 || status !== 'known_not_affected' || flags.includes(each.justification ?? '')) &&
      each.versions.some(
        (range) => range.product_status === status && (range.stated ?? range.version) === product.version,
      ),
  )
  return isFound ? 'found' : 'lost'
}

/** Red Hat's record has the product, and the package with its version. */
function isServedByRedHat(served: ServedProduct, status: string, stated: StatedProduct): boolean {
  if (!isSameOfRedHat(served, stated)) return false
  const version = readVersion(stated.purl)
  if (status === 'under_investigation') return served.status_unknown === true
  if (status === 'fixed') return version === null || served.versions.some((each) => each.less_than === version)
  return served.affected === (status === 'known_affected')
}

function isSameOfRedHat(
  served: Pick<ServedProduct, 'product' | 'package_url'>,
  { product, purl, within }: StatedProduct,
): boolean {
  if (within === null) return served.product === product && served.package_url === null
  const packageUrl = purl === null ? `pkg:generic/redhat/${encodeURIComponent(product)}` : purl.replace(/[@?].*$/, '')
  return served.product === within && served.package_url === packageUrl
}

/** The version of an RPM package, with its epoch, or the tag of a container image. */
function readVersion(purl: string | null): string | null {
  if (purl === null) return null
  const [path = '', query = ''] = purl.split('?')
  const parameters = new URLSearchParams(query)
  if (!path.startsWith('pkg:rpm')) return parameters.get('tag')
  const version = decodeURIComponent(path.split('@')[1] ?? '') || null
  const epoch = parameters.get('epoch') ?? '0'
  return version === null || epoch === '0' ? version : `${epoch}:${version}`
}

/** True for a package of an architecture, if its source package is listed with the same version. */
function isBuilt({ within, purl }: StatedProduct, all: readonly RawStatus[]): boolean {
  const isSource = (other: StatedProduct) =>
    other.within === within &&
    other.purl?.includes('arch=src') === true &&
    readVersion(other.purl) === readVersion(purl)
  return (
    purl?.startsWith('pkg:rpm/') === true && !purl.includes('arch=src') && all.some((each) => isSource(each.product))
  )
}

function findRemediation(
  { category, url, text, product }: RawRemediation,
  source: string,
  all: readonly RawStatus[],
  record: ServedRecord | undefined,
): Outcome {
  const link = url !== null && /^https?:/i.test(url) ? url : null
  const mayQuote = !isCsafSource(source) || CSAF_SOURCES[source].mayQuote === true
  const given = (record?.remediations ?? []).filter(
    (each) =>
      each.kind === toRemediationKind(category) &&
      each.url === link &&
      each.source === source &&
      (mayQuote ? isSameText(each.text, text) : each.text === null),
  )
  const isFound =
    product === null
      ? given.length > 0
      : given.some(({ applies_to }) => applies_to.some((each) => isRemedied(each, source, product)))
  if (isFound) return url !== null && link === null ? 'left out: link that is no web address' : 'found'
  const isOfBuilt = product !== null && given.length > 0 && isBuilt(product, all)
  return isOfBuilt ? BUILT : 'lost'
}

type RemediedProduct = NonNullable<ServedRecord['remediations']>[number]['applies_to'][number]

function isRemedied(each: RemediedProduct, source: string, stated: StatedProduct): boolean {
  if (isCsafSource(source)) return each.product === stated.product && each.version === stated.version
  const version = readVersion(stated.purl)
  return isSameOfRedHat(each, stated) && (each.version ?? version) === version
}

/** Compares words, because the service cleans white space and marks. */
function isSameText(served: string | null, text: string): boolean {
  const simplify = (each: string) => each.replaceAll(/&[a-z]+;/g, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return simplify(served ?? '') === simplify(text)
}
