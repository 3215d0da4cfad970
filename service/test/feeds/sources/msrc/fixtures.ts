// Invented documents in the format of Microsoft's CVRF API.
import type { VendorRecord } from '../../../../src/domain/source/vendor-record.ts'
import { isRejected } from '../../../../src/feeds/feed.ts'
import type { DocumentHeader } from '../../../../src/feeds/sources/msrc/document.ts'
import { msrcFeed } from '../../../../src/feeds/sources/msrc/feed.ts'
import { parseMonth } from '../../../../src/feeds/sources/msrc/month.ts'
import { normaliseMsrc } from '../../../../src/feeds/sources/msrc/normalise.ts'

export const SERVER = { ProductID: '11923', Value: 'Quillstone Server 2022' }
const WRITER = {
  ProductID: '11762',
  Value: 'Quillstone Writer 2019 for 32-bit editions',
  CPE: 'cpe:2.3:a:microsoft:quillstone_writer',
}
export const LINUX = { ProductID: '12139', Value: 'CBL Mariner 2.0 x64' }
const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:C'

type Members = Readonly<Record<string, unknown>>

const NOTES = [
  {
    Title: 'FAQ',
    Type: 4,
    Ordinal: '10',
    Value: '<p><strong>Is the preview pane an attack vector?</strong></p>\n<p>No.</p>',
  },
  {
    Title: 'Description',
    Type: 2,
    Ordinal: '0',
    Value: '<p>A crafted packet <em>frees</em> a buffer twice &amp; runs code.</p>\n',
  },
  { Title: 'Quillstone Server', Type: 7, Ordinal: '20', Value: 'Quillstone Server' },
  { Title: 'Microsoft', Type: 8, Ordinal: '30', Value: 'Microsoft' },
]

const THREATS = [
  {
    Description: { Value: 'Remote Code Execution' },
    ProductID: [SERVER.ProductID],
    Type: 0,
    DateSpecified: false,
  },
  { Description: { Value: 'Important' }, ProductID: [WRITER.ProductID], Type: 3, DateSpecified: false },
  { Description: { Value: 'Critical' }, ProductID: [SERVER.ProductID], Type: 3, DateSpecified: false },
  exploitStatus('Publicly Disclosed:No;Exploited:No;Latest Software Release:Exploitation Less Likely;DOS:N/A'),
]

const REMEDIATIONS = [
  {
    Description: { Value: '5041160' },
    URL: 'https://catalog.update.microsoft.com/v7/site/Search.aspx?q=KB5041160',
    Supercedence: '5040437',
    ProductID: [SERVER.ProductID],
    Type: 2,
    DateSpecified: false,
    AffectedFiles: [],
    RestartRequired: { Value: 'Yes' },
    SubType: 'Security Update',
    FixedBuild: '10.0.20348.2655',
  },
  {
    Description: { Value: 'Click to Run' },
    URL: '',
    ProductID: [WRITER.ProductID],
    Type: 2,
    SubType: 'Security Update',
    FixedBuild: 'https://aka.ms/OfficeSecurityReleases',
  },
  { Description: { Value: '5041160' }, URL: 'https://support.microsoft.com/help/5041160', ProductID: [], Type: 5 },
]

/** Builds a vulnerability with every member that the MSRC feed uses, and some members that the feed ignores. */
export function vulnerability(id: string, changes: Members = {}): Members {
  return {
    Title: { Value: 'Quillstone Server Remote Code Execution Vulnerability' },
    Notes: NOTES,
    DiscoveryDateSpecified: false,
    ReleaseDateSpecified: false,
    CVE: id,
    CWE: [{ ID: 'CWE-416', Value: 'Use After Free' }],
    ProductStatuses: [{ ProductID: [SERVER.ProductID, WRITER.ProductID], Type: 3 }],
    Threats: THREATS,
    CVSSScoreSets: [
      { BaseScore: 9.8, TemporalScore: 8.5, Vector: VECTOR, ProductID: [SERVER.ProductID] },
      { BaseScore: 9.8, TemporalScore: 8.5, Vector: VECTOR, ProductID: [WRITER.ProductID] },
    ],
    Remediations: REMEDIATIONS,
    Acknowledgments: [{ Name: [{ Value: 'Anna Lindqvist' }], URL: [''] }],
    Ordinal: '0',
    RevisionHistory: [
      { Number: '1.1', Date: '2024-08-20T07:00:00', Description: { Value: '<p>Corrected a typo.</p>\n' } },
      { Number: '1.0', Date: '2024-08-13T07:00:00', Description: { Value: '<p>Information published.</p>\n' } },
    ],
    ...changes,
  }
}

export function exploitStatus(status: string): Members {
  return { Description: { Value: status }, Type: 1, DateSpecified: false }
}

export const vulnerabilities = (count: number) =>
  Array.from({ length: count }, (_, index) => vulnerability(`CVE-2024-${38_000 + index}`))

export function msrcDocument(month: string, all: readonly unknown[], changes: Members = {}): string {
  return JSON.stringify({
    DocumentTitle: { Value: `${month} Security Updates` },
    DocumentType: { Value: 'Security Update' },
    DocumentPublisher: { ContactDetails: { Value: 'secure@microsoft.com' }, Type: 0 },
    DocumentTracking: {
      Identification: { ID: { Value: month }, Alias: { Value: month } },
      Status: 2,
      Version: '1.0',
      InitialReleaseDate: '2024-08-13T07:00:00',
      CurrentReleaseDate: '2024-08-21T07:00:00',
    },
    DocumentNotes: [{ Title: 'Release Notes', Audience: 'Public', Type: 1, Value: '<p>Restart after the update.</p>' }],
    ProductTree: {
      Branch: [
        { Type: 0, Name: 'Microsoft', Items: [{ Type: 1, Name: 'Server software', Items: [SERVER, WRITER, LINUX] }] },
      ],
      FullProductName: [SERVER, WRITER, LINUX],
    },
    Vulnerability: all,
    ...changes,
  })
}

export function msrcUpdates(revised: Readonly<Record<string, string>>): Members {
  return {
    '@odata.context': 'https://api.msrc.microsoft.com/cvrf/v3.0/$metadata#Updates',
    value: Object.entries(revised).map(([ID, CurrentReleaseDate]) => ({
      ID,
      Alias: ID,
      DocumentTitle: `${ID} Security Updates`,
      Severity: null,
      InitialReleaseDate: '2024-08-13T07:00:00Z',
      CurrentReleaseDate,
      CvrfUrl: `https://elsewhere.example/cvrf/${ID}`,
    })),
  }
}

export const offlineFeed = msrcFeed({ url: 'https://msrc.example/cvrf/v3.0/' })

const NOW = new Date('2026-08-22T00:00:00Z')

export function buildHeader(id = '2024-Aug'): DocumentHeader {
  const month = parseMonth(id)
  if (!month) throw new Error(`${id} is not a month`)
  return {
    month,
    releasedAt: new Date('2024-08-13T07:00:00Z'),
    revisedAt: new Date('2024-08-21T07:00:00Z'),
    products: new Map([
      [SERVER.ProductID, { name: SERVER.Value, cpe: null }],
      [WRITER.ProductID, { name: WRITER.Value, cpe: WRITER.CPE }],
      [LINUX.ProductID, { name: LINUX.Value, cpe: null }],
    ]),
  }
}

export const normalise = (vulnerability: unknown, header = buildHeader()) =>
  normaliseMsrc({ header, vulnerability }, NOW)

export function normaliseRecord(changes: Readonly<Record<string, unknown>>): VendorRecord {
  const row = normalise(vulnerability('CVE-2024-38063', changes))
  if (isRejected(row)) throw new Error(row.reason)
  return JSON.parse(row.record)
}
