// Generates a small set of upstream files in two editions: some years of NVD, a KEV catalog, and EPSS scores for the
// same CVEs. The second edition changes some records, adds some and removes a KEV entry, so that every part differs.
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import type { Upstream } from '../../../service/test/support/network/upstream.ts'

export interface Slice {
  readonly years: readonly number[]
  readonly recordsPerYear: number
  /**
   * Time that the feeds treat as the current time. The first edition of the test data is 20 days older, the second 10
   * days.
   */
  readonly now: Date
}

/** Creates test data for a few years, for imports from a directory. */
export function createDirectorySlice(recordsPerYear: number): Slice {
  return { years: [2021, 2022, 2023, 2024, 2025], recordsPerYear, now: new Date('2026-08-22T00:00:00Z') }
}

/**
 * Creates test data from 2002 (NVD's first file) to June 2006, for downloads: the NVD feed requests every year until
 * now.
 */
export function createNetworkSlice(recordsPerYear: number): Slice {
  return { years: [2002, 2003, 2004, 2005, 2006], recordsPerYear, now: new Date('2006-06-01T00:00:00Z') }
}

export type EditionNumber = 1 | 2

/**
 * Upstream files of one edition of the test data. The keys of `nvd` are the years and `modified`, as in NVD's file
 * names.
 */
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

export function buildEdition(slice: Slice, edition: EditionNumber): Edition {
  return {
    nvd: new Map(listNvdFiles(slice).map(({ key, year }) => [key, buildNvdFile(slice, year, edition)])),
    kev: buildKevFile(slice, edition),
    epss: buildEpssFile(slice, edition),
  }
}

/**
 * Returns the NVD files, each with the year of its CVE ids. The file `modified` contains ids of the following year, for
 * which there is no year file yet.
 */
export function listNvdFiles({ years }: Slice): readonly { readonly key: string; readonly year: number }[] {
  const next = Math.max(...years) + 1
  return [...years.map((year) => ({ key: String(year), year })), { key: 'modified', year: next }]
}

/** Writes the edition of the test data to a temporary directory, as for an installation without network access. */
export async function writeEdition({ nvd, kev, epss }: Edition): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-slice-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true, force: true }))
  for (const [key, json] of nvd)
    await writeFile(join(folder, `nvdcve-2.0-${key}.json.gz`), gzipSync(json, { level: 1 }))
  await writeFile(join(folder, KEV_FILE), kev)
  await writeFile(join(folder, EPSS_FILE), epss)
  return folder
}

/** Serves the edition of the test data as the upstream servers do: each NVD file with its .meta file. */
export function serveEdition(upstream: Pick<Upstream, 'serve'>, { nvd, kev, epss }: Edition, at: Date): void {
  for (const [key, json] of nvd) {
    const packed = gzipSync(json, { level: 1 })
    upstream.serve(`/nvd/nvdcve-2.0-${key}.json.gz`, packed)
    upstream.serve(`/nvd/nvdcve-2.0-${key}.meta`, formatMeta(json, packed, at))
  }
  upstream.serve(`/${KEV_FILE}`, kev)
  upstream.serve(`/${EPSS_FILE}`, epss)
}

/** Returns the settings with which the feeds use the given upstream server. */
export function buildSettings({ url, host }: Upstream): Readonly<Record<string, string>> {
  return {
    FEED_NVD_FEEDS_URL: `${url}/nvd/`,
    FEED_KEV_URL: `${url}/${KEV_FILE}`,
    FEED_EPSS_URL: `${url}/`,
    FEEDS_PRIVATE_HOSTS: host,
  }
}

function formatMeta(json: Buffer, packed: Buffer, at: Date): string {
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

export function getEditionTime({ now }: Slice, edition: EditionNumber): Date {
  return new Date(now.getTime() - DAYS_OLD[edition] * DAY_MS)
}

function listIds({ recordsPerYear }: Slice, year: number, edition: EditionNumber): string[] {
  const count = edition === 1 ? recordsPerYear : Math.ceil(recordsPerYear * (1 + NEW_SHARE))
  return Array.from({ length: count }, (_, index) => `CVE-${year}-${FIRST_SERIAL + index}`)
}

/**
 * Returns the version of an NVD record: every third record has a new version in the second edition of the test data.
 */
function chooseVersion(index: number, edition: EditionNumber): EditionNumber {
  return index % CHANGED_EVERY === 0 ? edition : 1
}

const formatNvdTime = (at: Date) => at.toISOString().replace('Z', '')

function buildNvdFile(slice: Slice, year: number, edition: EditionNumber): Buffer {
  const ids = listIds(slice, year, edition)
  return Buffer.from(
    JSON.stringify({
      resultsPerPage: ids.length,
      startIndex: 0,
      totalResults: ids.length,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp: formatNvdTime(getEditionTime(slice, edition)),
      vulnerabilities: ids.map((id, index) =>
        buildNvdRecord(slice, id, { year, version: chooseVersion(index, edition) }),
      ),
    }),
  )
}

function buildNvdRecord(slice: Slice, id: string, { year, version }: { year: number; version: EditionNumber }) {
  const text = `Version ${version} of a generated record: ${id} allows a buffer over-read.`
  return {
    cve: {
      id,
      sourceIdentifier: 'security@example.org',
      published: `${year}-01-15T10:00:00.000`,
      lastModified: formatNvdTime(getEditionTime(slice, version)),
      vulnStatus: 'Analyzed',
      cveTags: [],
      descriptions: [{ lang: 'en', value: text }],
      metrics: { cvssMetricV31: [{ source: 'nvd@nist.gov', type: 'Primary', cvssData: CVSS }] },
      weaknesses: [{ source: 'nvd@nist.gov', type: 'Primary', description: [{ lang: 'en', value: 'CWE-125' }] }],
      references: [{ url: `https://example.org/notes/${id}`, source: 'security@example.org' }],
    },
  }
}

const CVSS = { version: '3.1', vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', baseScore: 7.5 }

function buildKevFile(slice: Slice, edition: EditionNumber): Buffer {
  const at = getEditionTime(slice, edition)
  const listKevIds = (year: number) => listIds(slice, year, edition).filter((_id, index) => index % KEV_EVERY === 0)
  const all = slice.years.flatMap(listKevIds)
  // The KEV catalog of the second edition no longer lists the first entry.
  const ids = edition === 1 ? all : all.slice(1)
  return Buffer.from(
    JSON.stringify({
      title: 'A generated catalog of known exploited vulnerabilities',
      catalogVersion: `edition ${edition}`,
      dateReleased: at.toISOString(),
      count: ids.length,
      vulnerabilities: ids.map((cveID) => ({
        cveID,
        vendorProject: 'Example',
        product: 'Reader',
        vulnerabilityName: `Generated ${cveID}`,
        dateAdded: getEditionTime(slice, 1).toISOString().slice(0, 10),
        shortDescription: 'The product allows a buffer over-read.',
        requiredAction: `Apply the update (edition ${edition}).`,
        dueDate: slice.now.toISOString().slice(0, 10),
        knownRansomwareCampaignUse: 'Unknown',
        notes: '',
        cwes: ['CWE-125'],
      })),
    }),
  )
}

/** Every EPSS score differs between the editions, and some cross the threshold above which a CVE is published again. */
function buildEpssFile(slice: Slice, edition: EditionNumber): Buffer {
  const ids = slice.years.flatMap((year) => listIds(slice, year, edition)).slice(edition - 1)
  const lines = ids.map((id, index) => `${id},0.${String((index * 37 * edition) % 300).padStart(5, '0')}1,0.5`)
  const head = [
    `#model_version:v${edition},score_date:${getEditionTime(slice, edition).toISOString()}`,
    'cve,epss,percentile',
  ]
  return gzipSync(`${[...head, ...lines].join('\n')}\n`, { level: 1 })
}
