// One row per feed for the contract test: how the feed's records and files look.
import { mapCsafSources } from '../../../src/domain/source/csaf-sources.ts'
import type { SourceId } from '../../../src/domain/source/sources.ts'
import { createZip } from '../formats/zip-builder.ts'
import { rss } from '../sources/acsc/documents.ts'
import {
  buildCapec,
  buildMapping,
  buildMappingFile,
  buildStixBundle,
  buildTechnique,
} from '../sources/attack/fixtures.ts'
import { csafDocument } from '../sources/csaf/fixtures.ts'
import { buildCveRecord } from '../sources/cve-list/fixtures.ts'
import { buildCatalog as buildCweCatalog, buildWeakness, CSV_HEADER, zipCatalog } from '../sources/cwe/fixtures.ts'
import { buildDebianEntry, RESOLVED } from '../sources/debian/fixtures.ts'
import { endOfLifeList, endOfLifeProduct } from '../sources/endoflife/fixtures.ts'
import { buildFile as buildEpssFile } from '../sources/epss/fixtures.ts'
import { buildEuKevEntry } from '../sources/eukev/fixtures.ts'
import { advisory } from '../sources/ghsa/fixtures.ts'
import { buildEntry, buildCatalog as buildKevCatalog } from '../sources/kev/fixtures.ts'
import { msrcDocument, vulnerability } from '../sources/msrc/fixtures.ts'
import { nvdContainer, nvdRecord } from '../sources/nvd/fixtures.ts'
import { historyPage, playedChange } from '../sources/nvd/history-upstream.ts'
import { osvAdvisory } from '../sources/osv/fixtures.ts'
import { vex } from '../sources/redhat/fixtures.ts'
import { friendsOfPhpAdvisory, maliciousReport, rubySecAdvisory } from '../sources/repository/fixtures.ts'
import { secdb } from '../sources/secdb/fixtures.ts'

/** The records in a file: the record with this number, either valid or in a form that the feed rejects. */
export interface Choice {
  readonly index: number
  readonly isValid: boolean
}

export interface FeedRow {
  /** Name of the uncompressed file in a directory. */
  readonly file: string
  write(choices: readonly Choice[]): string
  /** A snapshot lists all records, so a file that lacks many of them is refused. Other files never remove a record. */
  readonly isSnapshot: boolean
  readonly readsGzip: boolean
  /** True if the feed differs from that of another row only in the ids of its records. */
  readonly isVariant: boolean
  /** The feed's only download: the setting with its address, and its content if that differs from the file. */
  readonly download?: { readonly setting: string; write?(choices: readonly Choice[]): string | Buffer }
}

type Build<Entry> = (index: number, isValid: boolean) => Entry

interface RowOptions<Entry> {
  readonly isSnapshot?: boolean
  readonly readsGzip?: boolean
  readonly isVariant?: boolean
  readonly setting?: string
  readonly packDownload?: (records: readonly Entry[]) => string | Buffer
}

function row<Entry>(
  file: string,
  build: Build<Entry>,
  pack: (records: readonly Entry[]) => string,
  { isSnapshot = true, readsGzip = true, isVariant = false, setting, packDownload }: RowOptions<Entry> = {},
): FeedRow {
  const buildAll = (choices: readonly Choice[]) => choices.map(({ index, isValid }) => build(index, isValid))
  return {
    file,
    write: (choices) => pack(buildAll(choices)),
    isSnapshot,
    readsGzip,
    isVariant,
    ...(setting && {
      download: { setting, ...(packDownload && { write: (choices) => packDownload(buildAll(choices)) }) },
    }),
  }
}

const cve = (index: number) => `CVE-2024-${10_000 + index}`
const lines = (records: readonly unknown[]) => `${records.map((each) => JSON.stringify(each)).join('\n')}\n`
const csv = (header: string) => (records: readonly string[]) => `${[header, ...records].join('\n')}\n`
/** A zip file of a repository with one JSON file per record. */
const zip =
  <Entry>(toPath: (record: Entry) => string, toContent: (record: Entry) => unknown = (record) => record) =>
  (records: readonly Entry[]) =>
    createZip(records.map((each) => ({ name: toPath(each), content: JSON.stringify(toContent(each)) })))

const osvRow = (name: string, file: string, toId: (index: number) => string) =>
  row(
    file,
    (index, isValid) =>
      osvAdvisory(toId(index), {
        aliases: [cve(index)],
        related: [cve(index)],
        upstream: [cve(index)],
        ...(!isValid && { modified: 'May' }),
      }),
    lines,
    {
      isVariant: name !== 'GO',
      setting: `FEED_OSV_${name}_URL`,
      packDownload: zip((each) => `${String(each['id'])}.json`),
    },
  )

const secdbRow = (file: string) =>
  row(
    file,
    (index, isValid) => [`1.${index}-r0`, isValid ? [cve(index)] : cve(index)] as const,
    (records) => secdb({ larkfield: Object.fromEntries(records) }),
    { isVariant: !file.startsWith('alpine') },
  )

/** Without the feeds that store a state per day: their own tests tell what they do with a file. */
export const FEED_TABLE: Readonly<Record<Exclude<SourceId, 'kev-history' | 'epss-history'>, FeedRow>> = {
  nvd: row(
    'nvdcve-2.0-2024.json',
    (index, isValid) => nvdRecord(cve(index), isValid ? {} : { published: 'never' }),
    (records) => nvdContainer(records),
  ),
  cve: row(
    'cvelist5.ndjson',
    (index, isValid) => buildCveRecord(cve(index), isValid ? {} : { updated: 'May' }),
    lines,
    { isSnapshot: false },
  ),
  kev: row(
    'known_exploited_vulnerabilities.json',
    (index, isValid) => buildEntry(cve(index), isValid ? {} : { dateAdded: 'soon' }),
    (records) => JSON.stringify(buildKevCatalog(records)),
    { setting: 'FEED_KEV_URL' },
  ),
  eukev: row(
    'eukev.json',
    (index, isValid) => buildEuKevEntry(cve(index), isValid ? {} : { dateReported: 'soon' }),
    (records) => JSON.stringify(records),
    { setting: 'FEED_EUKEV_URL' },
  ),
  epss: row(
    'epss_scores-2026-08-20.csv',
    (index, isValid) => `${cve(index)},${isValid ? '0.01000' : '1.2'},0.50000`,
    (records) => buildEpssFile(records),
    { setting: 'FEED_EPSS_URL' },
  ),
  acsc: row(
    'acsc-alerts.xml',
    (index, isValid) => ({ slug: `notice-${index}`, ...(!isValid && { published: 'soon' }) }),
    (records) => rss(records),
    { isSnapshot: false, readsGzip: false },
  ),
  cwe: row(
    'cwe.csv',
    (index, isValid) => ({ id: index + 1, name: isValid ? 'Weakness' : '' }),
    (records) => csv(CSV_HEADER)(records.map(({ id, name }) => `CWE-${id},weakness,${name},Base,Stable,Text.`)),
    {
      setting: 'FEED_CWE_URL',
      packDownload: (records) =>
        zipCatalog(buildCweCatalog(records.map(({ id, name }) => buildWeakness(id, name)).join(''))),
    },
  ),
  attack: row(
    'enterprise-attack.json',
    (index, isValid) => buildTechnique(`T${1000 + index}`, isValid ? {} : { name: 7 }),
    (records) => buildStixBundle(records),
    { setting: 'FEED_ATTACK_URL' },
  ),
  capec: row(
    'stix-capec.json',
    (index, isValid) => buildCapec(index + 1, isValid ? {} : { x_capec_status: undefined }),
    (records) => buildStixBundle(records),
    { setting: 'FEED_CAPEC_URL' },
  ),
  'attack-mapping': row(
    'kev-07.28.2025_attack-16.1-enterprise.json',
    (index, isValid) => buildMapping(cve(index), 'T1000', isValid ? {} : { mapping_type: 7 }),
    (records) => buildMappingFile(records),
    { setting: 'FEED_ATTACK_MAPPING_URL' },
  ),
  exploitdb: row(
    'files_exploits.csv',
    (index, isValid) => `${index + 1},Acme Portal,${isValid ? '2024-05-06' : 'soon'},1,${cve(index)}`,
    csv('id,description,date_published,verified,codes'),
    { setting: 'FEED_EXPLOITDB_URL' },
  ),
  metasploit: row(
    'modules_metadata_base.json',
    (index, isValid) => ({
      fullname: `exploit/multi/acme_${index}`,
      name: 'Acme Portal',
      references: [cve(index)],
      disclosure_date: isValid ? '2024-05-06' : 'soon',
    }),
    (records) => JSON.stringify(Object.fromEntries(records.map((each) => [each.fullname, each]))),
    { setting: 'FEED_METASPLOIT_URL' },
  ),
  nuclei: row(
    'cves.json',
    (index, isValid) => ({
      ID: cve(index),
      Info: isValid ? { Name: 'Acme Portal' } : null,
      file_path: `http/${index}.yaml`,
    }),
    lines,
    { setting: 'FEED_NUCLEI_URL' },
  ),
  poc: row(
    'poc_in_github.ndjson',
    (index, isValid) => ({
      cve: cve(index),
      repos: [{ html_url: 'https://github.com/anna/acme', created_at: isValid ? '2024-05-06T07:08:09Z' : 'soon' }],
    }),
    lines,
    {
      setting: 'FEED_POC_URL',
      packDownload: zip(
        (each) => `PoC-in-GitHub-master/2024/${each.cve}.json`,
        (each) => each.repos,
      ),
    },
  ),
  overrides: row(
    'nvd_overrides_anchore.ndjson',
    (index, isValid) => ({ _annotation: { cve_id: cve(index) }, cve: isValid ? {} : 7 }),
    lines,
    {
      setting: 'FEED_OVERRIDES_URL',
      packDownload: zip((each) => `nvd-data-overrides-main/data/2024/${each._annotation.cve_id}.json`),
    },
  ),
  ghsa: row(
    'ghsa.ndjson',
    (index, isValid) => ({ ...advisory(index).osv, ...(!isValid && { modified: 'May' }) }),
    lines,
    { isSnapshot: false },
  ),
  'osv-go': osvRow('GO', 'go-vulndb.osv.ndjson', (index) => `GO-2024-${1000 + index}`),
  'osv-rustsec': osvRow('RUSTSEC', 'rustsec.osv.ndjson', (index) => `RUSTSEC-2024-${1000 + index}`),
  'osv-bitnami': osvRow('BITNAMI', 'bitnami.osv.ndjson', (index) => `BIT-larkfield-2024-${1000 + index}`),
  'osv-almalinux': osvRow('ALMALINUX', 'almalinux.osv.ndjson', (index) => `ALSA-2024:${1000 + index}`),
  'osv-debian': osvRow('DEBIAN', 'debian-advisories.ndjson', (index) => `DSA-${1000 + index}-1`),
  'osv-pypa': osvRow('PYPA', 'pypa.yaml-as-json.ndjson', (index) => `PYSEC-2024-${index + 1}`),
  'osv-eef': osvRow('EEF', 'eef.osv.ndjson', (index) => `EEF-CVE-2024-${1000 + index}`),
  'osv-rocky': osvRow('ROCKY', 'rocky.osv.ndjson', (index) => `RLSA-2024:${1000 + index}`),
  'osv-suse': osvRow('SUSE', 'suse.osv.ndjson', (index) => `SUSE-SU-2024:${1000 + index}-1`),
  'osv-opensuse': osvRow('OPENSUSE', 'opensuse.osv.ndjson', (index) => `openSUSE-SU-2024:${1000 + index}-1`),
  'osv-ubuntu': osvRow('UBUNTU', 'ubuntu.osv.ndjson', (index) => `UBUNTU-CVE-2024-${1000 + index}`),
  rubysec: row('rubysec.ndjson', (index, isValid) => rubySecAdvisory(index, isValid ? {} : { date: 'soon' }), lines, {
    setting: 'FEED_RUBYSEC_URL',
    packDownload: zip((each) => `ruby-advisory-db-master/${String(each['path'])}`),
  }),
  friendsofphp: row(
    'friendsofphp.ndjson',
    (index, isValid) => friendsOfPhpAdvisory(index, isValid ? {} : { branches: 7 }),
    lines,
    {
      setting: 'FEED_FRIENDSOFPHP_URL',
      packDownload: zip((each) => `security-advisories-master/${String(each['path'])}`),
    },
  ),
  malicious: row(
    'malicious.ndjson',
    (index, isValid) => maliciousReport(index, { aliases: [cve(index)], ...(!isValid && { modified: 'May' }) }),
    lines,
    {
      setting: 'FEED_MALICIOUS_URL',
      packDownload: zip((each) => `malicious-packages-main/${String(each['path'])}`),
    },
  ),
  redhat: row('redhat.ndjson', (index, isValid) => vex(cve(index), isValid ? {} : { at: 'May' }), lines, {
    isSnapshot: false,
  }),
  msrc: row(
    'msrc-2024-Aug.json',
    (index, isValid) => vulnerability(cve(index), isValid ? {} : { Title: 'a text' }),
    (records) => msrcDocument('2024-Aug', records),
    { isSnapshot: false },
  ),
  debian: row(
    'debian-tracker.json',
    (index, isValid) => [cve(index), buildDebianEntry({ bookworm: isValid ? RESOLVED : { status: 7 } })] as const,
    (records) => JSON.stringify({ larkfield: Object.fromEntries(records) }),
    { setting: 'FEED_DEBIAN_URL' },
  ),
  alpine: secdbRow('alpine-v3.23-main.json'),
  wolfi: secdbRow('wolfi-security.json'),
  chainguard: secdbRow('chainguard-security.json'),
  endoflife: row(
    'endoflife.json',
    (index, isValid) => endOfLifeProduct(`lark-${1000 + index}`, isValid ? {} : { releases: 'none' }),
    (records) => endOfLifeList(records),
    { setting: 'FEED_ENDOFLIFE_URL' },
  ),
  ...mapCsafSources((id) =>
    row(
      `${id}.ndjson`,
      (index, isValid) => csafDocument(`ACME-2024-${1000 + index}`, { ...(!isValid && { released: 'May' }) }),
      lines,
      { isSnapshot: false, isVariant: id !== 'csaf-cisco' },
    ),
  ),
  'nvd-history': row(
    'nvdcvehistory-2.0-20240101T000000Z-20240111T000000Z-0.json',
    (index, isValid) => playedChange(index, { cveId: cve(index), ...(!isValid && { created: 'soon' }) }),
    (records) => historyPage(records),
    { isSnapshot: false },
  ),
}
