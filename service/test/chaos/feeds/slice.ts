// A small world for feeds, of our own making: years of NVD, a KEV catalogue and EPSS scores about the same CVEs, in two
// editions. The second one changes records, adds some and takes one back, so that neither can be taken for the other.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { atEnd } from '../../support/cleanup.ts'
import type { Upstream } from '../../support/network/upstream.ts'

export interface Slice {
  readonly years: readonly number[]
  readonly recordsPerYear: number
  /** Everything in it is some days older than this. */
  readonly now: Date
}

/** Some years, as somebody may have carried them here. */
export function carriedSlice(recordsPerYear: number): Slice {
  return { years: [2021, 2022, 2023, 2024, 2025], recordsPerYear, now: new Date('2026-08-22T00:00:00Z') }
}

/** All years, as upstream has them. NVD begins in 2002, so in June 2006 there are not many. */
export function servedSlice(recordsPerYear: number): Slice {
  return { years: [2002, 2003, 2004, 2005, 2006], recordsPerYear, now: new Date('2006-06-01T00:00:00Z') }
}

export type EditionNumber = 1 | 2

/** Files by their names, as upstream calls them. */
export interface Edition {
  readonly nvd: ReadonlyMap<string, Buffer>
  readonly kev: Buffer
  readonly epss: Buffer
}

const DAY_MS = 24 * 3_600_000
const DAYS_OLD: Readonly<Record<EditionNumber, number>> = { 1: 20, 2: 10 }
const FIRST_SERIAL = 1000
const KEV_EVERY = 25
const CHANGED_EVERY = 3
const NEW_SHARE = 0.05

export const KEV_FILE = 'known_exploited_vulnerabilities.json'
const EPSS_FILE = 'epss_scores-current.csv.gz'

export function makeEdition(slice: Slice, edition: EditionNumber): Edition {
  return {
    nvd: new Map(filesOf(slice).map(({ key, year }) => [key, nvdFile(slice, year, edition)])),
    kev: kevFile(slice, edition),
    epss: epssFile(slice, edition),
  }
}

/** Of NVD, with the year of the ids in each: next year's are in `modified`, before they have a file of their own. */
export function filesOf({ years }: Slice): readonly { readonly key: string; readonly year: number }[] {
  const next = Math.max(...years) + 1
  return [...years.map((year) => ({ key: String(year), year })), { key: 'modified', year: next }]
}

/** As somebody would carry it into a closed network. */
export async function writeEdition({ nvd, kev, epss }: Edition): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-slice-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  for (const [key, json] of nvd)
    await writeFile(join(folder, `nvdcve-2.0-${key}.json.gz`), gzipSync(json, { level: 1 }))
  await writeFile(join(folder, KEV_FILE), kev)
  await writeFile(join(folder, EPSS_FILE), epss)
  return folder
}

/** As upstream offers it: each file of NVD with its .meta. */
export function serveEdition(upstream: Pick<Upstream, 'serve'>, { nvd, kev, epss }: Edition, at: Date): void {
  for (const [key, json] of nvd) {
    const packed = gzipSync(json, { level: 1 })
    upstream.serve(`/nvd/nvdcve-2.0-${key}.json.gz`, packed)
    upstream.serve(`/nvd/nvdcve-2.0-${key}.meta`, metaOf(json, packed, at))
  }
  upstream.serve(`/${KEV_FILE}`, kev)
  upstream.serve(`/${EPSS_FILE}`, epss)
}

/** The settings that make the feeds ask it. */
export function settingsFor({ url, host }: Upstream): Readonly<Record<string, string>> {
  return {
    FEED_NVD_FEEDS_URL: `${url}/nvd/`,
    FEED_KEV_URL: `${url}/${KEV_FILE}`,
    FEED_EPSS_URL: `${url}/`,
    FEEDS_PRIVATE_HOSTS: host,
  }
}

function metaOf(json: Buffer, packed: Buffer, at: Date): string {
  const sha256 = createHash('sha256').update(json).digest('hex').toUpperCase()
  const lines = [
    `lastModifiedDate:${at.toISOString()}`,
    `size:${json.length}`,
    `zipSize:${packed.length + 150}`,
    `gzSize:${packed.length}`,
    `sha256:${sha256}`,
  ]
  return `${lines.join('\r\n')}\r\n`
}

export function editionAt({ now }: Slice, edition: EditionNumber): Date {
  return new Date(now.getTime() - DAYS_OLD[edition] * DAY_MS)
}

function idsOf({ recordsPerYear }: Slice, year: number, edition: EditionNumber): string[] {
  const count = edition === 1 ? recordsPerYear : Math.ceil(recordsPerYear * (1 + NEW_SHARE))
  return Array.from({ length: count }, (_, index) => `CVE-${year}-${FIRST_SERIAL + index}`)
}

/** In the second edition some have another text and another date; the others say what they said before. */
function versionOf(index: number, edition: EditionNumber): EditionNumber {
  return index % CHANGED_EVERY === 0 ? edition : 1
}

const stamp = (at: Date) => at.toISOString().replace('Z', '')

function nvdFile(slice: Slice, year: number, edition: EditionNumber): Buffer {
  const ids = idsOf(slice, year, edition)
  return Buffer.from(
    JSON.stringify({
      resultsPerPage: ids.length,
      startIndex: 0,
      totalResults: ids.length,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp: stamp(editionAt(slice, edition)),
      vulnerabilities: ids.map((id, index) => nvdRecord(slice, id, { year, version: versionOf(index, edition) })),
    }),
  )
}

function nvdRecord(slice: Slice, id: string, { year, version }: { year: number; version: EditionNumber }) {
  const text = `An invented weakness, told ${version === 1 ? 'once' : 'twice'}: ${id} lets a caller read past the end.`
  return {
    cve: {
      id,
      sourceIdentifier: 'nobody@example.org',
      published: `${year}-01-15T10:00:00.000`,
      lastModified: stamp(editionAt(slice, version)),
      vulnStatus: 'Analyzed',
      cveTags: [],
      descriptions: [{ lang: 'en', value: text }],
      metrics: { cvssMetricV31: [{ source: 'nvd@nist.gov', type: 'Primary', cvssData: CVSS }] },
      weaknesses: [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-125' }] }],
      references: [{ url: `https://example.org/notes/${id}`, source: 'nobody@example.org' }],
    },
  }
}

const CVSS = { version: '3.1', vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', baseScore: 7.5 }

function kevFile(slice: Slice, edition: EditionNumber): Buffer {
  const at = editionAt(slice, edition)
  const ofYear = (year: number) => idsOf(slice, year, edition).filter((_id, index) => index % KEV_EVERY === 0)
  const all = slice.years.flatMap(ofYear)
  // The second catalogue has lost one, without a word.
  const ids = edition === 1 ? all : all.slice(1)
  return Buffer.from(
    JSON.stringify({
      title: 'An invented catalogue of known exploited vulnerabilities',
      catalogVersion: `edition ${edition}`,
      dateReleased: at.toISOString(),
      count: ids.length,
      vulnerabilities: ids.map((cveID) => ({
        cveID,
        vendorProject: 'Example',
        product: 'Reader',
        vulnerabilityName: `Invented ${cveID}`,
        dateAdded: editionAt(slice, 1).toISOString().slice(0, 10),
        shortDescription: 'Somebody read past the end.',
        requiredAction: `Mend it, says edition ${edition}.`,
        dueDate: slice.now.toISOString().slice(0, 10),
        knownRansomwareCampaignUse: 'Unknown',
        notes: '',
        cwes: ['CWE-125'],
      })),
    }),
  )
}

/** A new model: every score moves, some of them across the line above which a CVE is published again. */
function epssFile(slice: Slice, edition: EditionNumber): Buffer {
  const ids = slice.years.flatMap((year) => idsOf(slice, year, edition)).slice(edition - 1)
  const lines = ids.map((id, index) => `${id},0.${String((index * 37 * edition) % 300).padStart(5, '0')}1,0.5`)
  const head = [
    `#model_version:v${edition},score_date:${editionAt(slice, edition).toISOString()}`,
    'cve,epss,percentile',
  ]
  return gzipSync(`${[...head, ...lines].join('\n')}\n`, { level: 1 })
}
