// The catalog of the documentation's examples: three well-known CVEs. The facts are real; the texts were written for
// the examples.
import { findMovers } from '../../../src/catalog/epss-history/find-movers.ts'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import { makeSnapshot } from '../../../src/catalog/snapshot/make.ts'
import { SOURCE_IDS, type SourceId } from '../../../src/domain/source/sources.ts'
import { type CatalogHarness, createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { configuration, nvdRating, nvdRecord } from '../../catalog/source-fixtures.ts'
import { dataset, type Fixture } from '../builders.ts'
import { epssHistory } from './epss-history.ts'

const [LOG4SHELL, MOVEIT, XZ] = ['CVE-2021-44228', 'CVE-2023-34362', 'CVE-2024-3094'] as const

/** Times of the newest upstream releases. Other releases, such as the lists of Nuclei templates, state no time. */
const RELEASES: Readonly<Record<string, string>> = {
  nvd: '2026-08-21T22:00:00Z',
  cve: '2026-08-21T23:00:00Z',
  kev: '2026-08-21T17:46:43Z',
  epss: '2026-08-21T12:00:00Z',
  acsc: '2026-08-20T04:30:00Z',
  ghsa: '2026-08-21T20:02:11Z',
  redhat: '2026-08-21T19:14:00Z',
  msrc: '2026-08-20T07:00:00Z',
  overrides: '2026-08-19T17:21:04Z',
  cwe: '2026-04-30T00:00:00Z',
  attack: '2026-04-28T14:00:00Z',
  capec: '2023-01-24T00:00:00Z',
  'attack-mapping': '2025-07-28T00:00:00Z',
  exploitdb: '2026-08-19T00:00:00Z',
  metasploit: '2026-08-06T00:00:00Z',
  poc: '2026-08-20T00:00:00Z',
}

/** Data sets as of 2026-08-22T00:00:00Z, the time of the test clock. Others have 1,000 rows. */
const SIZES: Partial<Record<SourceId, readonly [rows: number, at: string]>> = {
  nvd: [381_204, '2026-08-21T23:10:00Z'],
  cve: [362_950, '2026-08-21T23:40:00Z'],
  kev: [1652, '2026-08-21T22:05:00Z'],
  'kev-history': [5850, '2026-08-21T22:06:00Z'],
  eukev: [43, '2026-08-21T22:10:00Z'],
  epss: [352_118, '2026-08-21T13:30:00Z'],
  'epss-history': [1957, '2026-08-21T23:30:00Z'],
  acsc: [214, '2026-08-21T21:00:00Z'],
  ghsa: [29_870, '2026-08-21T20:15:00Z'],
  'osv-go': [4291, '2026-08-21T20:20:00Z'],
  'osv-rustsec': [902, '2026-08-21T20:25:00Z'],
  'osv-bitnami': [7444, '2026-08-21T20:30:00Z'],
  'osv-almalinux': [5680, '2026-08-21T20:35:00Z'],
  'osv-pypa': [3120, '2026-08-21T20:40:00Z'],
  redhat: [71_344, '2026-08-21T19:30:00Z'],
  msrc: [58_102, '2026-08-21T18:45:00Z'],
  debian: [287_410, '2026-08-21T18:50:00Z'],
  overrides: [1204, '2026-08-20T04:00:00Z'],
  cwe: [1434, '2026-08-16T02:00:00Z'],
  attack: [823, '2026-08-16T02:10:00Z'],
  capec: [615, '2026-08-16T02:20:00Z'],
  'attack-mapping': [2130, '2026-08-16T02:30:00Z'],
  exploitdb: [46_920, '2026-08-21T05:00:00Z'],
  metasploit: [3_310, '2026-08-21T05:10:00Z'],
  nuclei: [4_025, '2026-08-21T05:20:00Z'],
  poc: [15_480, '2026-08-21T05:30:00Z'],
}

export const freshDatasets: readonly Fixture[] = SOURCE_IDS.map((name) => {
  const [rows, at] = SIZES[name] ?? [1000, '2026-08-21T20:45:00Z']
  const fixture = dataset(name).holdingAll(rows).fetchedAt(at).withLastRun(at, 'succeeded')
  const releasedAt = RELEASES[name]
  return releasedAt === undefined ? fixture.deliveredAt(at) : fixture.releasedAt(releasedAt)
})

export async function publishExamples(url: string): Promise<void> {
  const catalog = await createCatalogHarness(url)
  await storeReferenceData(catalog)
  await storeRecords(catalog)
  await storeKevEntries(catalog)
  await catalog.storeNotice('log4j-2021-12', [LOG4SHELL], {
    title: 'Log4j: update at once',
    published: '2021-12-11T02:00:00Z',
    summary: 'Attackers scan for it. Update Log4j, or switch lookups off.',
  })
  await catalog.storeExploit('metasploit', 'exploit/multi/http/log4shell_header', [LOG4SHELL], {
    kind: 'module',
    title: 'Log4Shell by way of an HTTP header',
    published: '2021-12-12',
  })
  await catalog.storeEpss('2026-08-21T12:00:00Z', { [LOG4SHELL]: 0.94358, [MOVEIT]: 0.94293, [XZ]: 0.84121 })
  // EPSS scores above 0.84 are in the top half percent of all CVEs.
  await catalog.selectRows('update source.epss_score set percentile = 0.995 + score * 0.005')
  await catalog.publish()
  await catalog.selectRows(`
    insert into catalog.alias (alias, cve_key, source)
    select 'GHSA-jfh8-c2jp-5v3q', catalog.cve_key('${LOG4SHELL}'), 'ghsa'
    on conflict do nothing
  `)
  await storeScoreHistory(catalog)
  await fixChangeLog(catalog)
  await storeSnapshot(catalog)
}

/** Adds earlier days to the history of EPSS scores, with one missing day. */
async function storeScoreHistory({ context }: CatalogHarness): Promise<void> {
  const history = epssHistory({
    '2026-08-14': { [XZ]: [0.61207, 0.98114], [LOG4SHELL]: [0.94358, 0.9998] },
    '2026-08-15': { [XZ]: [0.70015, 0.98602], [LOG4SHELL]: [0.94358, 0.9998] },
    '2026-08-16': { [XZ]: [0.72844, 0.98731], [LOG4SHELL]: [0.94358, 0.9998] },
    '2026-08-17': { [XZ]: [0.75118, 0.98832], [LOG4SHELL]: [0.94358, 0.9998] },
    '2026-08-19': { [XZ]: [0.80302, 0.99027], [LOG4SHELL]: [0.94358, 0.9998] },
    '2026-08-20': { [XZ]: [0.83904, 0.9918], [LOG4SHELL]: [0.94358, 0.9998] },
  })
  await history.store(context.session.db)
  await withPublishLock(context, (tx) => findMovers(context.session, tx))
}

/** Replaces the times and the random tags of the change log, which differ from run to run. */
async function fixChangeLog(catalog: CatalogHarness): Promise<void> {
  await catalog.selectRows(`
    update catalog.change set at = '2026-08-21T20:01:21Z', tag = hashtextextended('example', seq)
  `)
  await catalog.selectRows(`
    update catalog.change_time set at = case seq when 0 then timestamptz '2026-08-20T20:00:00Z' else '2026-08-21T20:01:21Z' end
  `)
  await catalog.selectRows("update catalog.past_start set complete_since = '2026-08-21T20:02:00Z'")
}

const SNAPSHOT_ID = '20260822T000000Z-5f0c2d9e'

/** Creates a snapshot, and replaces the random part of its id. */
async function storeSnapshot(catalog: CatalogHarness): Promise<void> {
  await makeSnapshot(catalog.context)
  await catalog.selectRows(`
    insert into catalog.snapshot (id, created_at, seq, tag, records, schema_version)
    select '${SNAPSHOT_ID}', created_at, seq, tag, records, schema_version from catalog.snapshot
  `)
  await catalog.selectRows(`update catalog.snapshot_part set snapshot_id = '${SNAPSHOT_ID}'`)
  await catalog.selectRows(`delete from catalog.snapshot where id <> '${SNAPSHOT_ID}'`)
}

async function storeReferenceData(catalog: CatalogHarness): Promise<void> {
  await catalog.selectRows(`
    insert into source.weakness (cwe_id, kind, name, status, is_deprecated, description, content_hash)
    values ('CWE-502', 'weakness', 'Objects made from untrusted data', 'Draft', false,
            'Objects are made from data that an attacker may have written.', '')
  `)
  await catalog.selectRows(`
    insert into source.attack_technique (technique_id, name, tactics, is_subtechnique, is_deprecated, content_hash)
    values ('T1190', 'Attack on a public application', '{initial-access}', false, false, ''),
           ('T1059', 'Use of an interpreter', '{execution}', false, false, '')
  `)
  await catalog.selectRows(`
    insert into source.attack_mapping (cve_id, technique_id, mapping_type, content_hash)
    values ('${LOG4SHELL}', 'T1190', 'exploitation_technique', ''), ('${LOG4SHELL}', 'T1059', 'primary_impact', '')
  `)
}

async function storeRecords(catalog: CatalogHarness): Promise<void> {
  await catalog.storeRecord('nvd', LOG4SHELL, buildNvdLog4shell(), '2026-08-20T14:05:00Z')
  await catalog.storeRecord('cve', LOG4SHELL, buildApacheLog4shell(), '2026-08-19T09:00:00Z')
  const moveit = {
    published: '2023-06-02T14:15:09.397',
    descriptions: inEnglish(
      'MOVEit Transfer takes SQL from anybody who can reach its web pages, so that data can be read and changed.',
    ),
    metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] },
    weaknesses: buildWeaknesses('CWE-89'),
    configurations: [
      configuration([{ criteria: formatCpe('progress', 'moveit_transfer'), versionEndExcluding: '2021.0.6' }]),
    ],
    references: [],
  }
  await catalog.storeRecord('nvd', MOVEIT, nvdRecord(MOVEIT, moveit), '2026-08-18T08:20:00Z')
  const xz = {
    published: '2024-03-29T17:15:21.150',
    descriptions: inEnglish(
      'Releases 5.6.0 and 5.6.1 of XZ Utils were built with code that lets one person in through sshd.',
    ),
    metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10)] },
    weaknesses: buildWeaknesses('CWE-506'),
    configurations: [
      configuration([
        { criteria: formatCpe('tukaani', 'xz', '5.6.0') },
        { criteria: formatCpe('tukaani', 'xz', '5.6.1') },
      ]),
    ],
    references: [],
  }
  await catalog.storeRecord('nvd', XZ, nvdRecord(XZ, xz), '2025-08-19T01:15:57Z')
}

const MATCHES = ['5F0C1A52-8E0B-4B0E-9C39-2D6A7E41B001', '5F0C1A52-8E0B-4B0E-9C39-2D6A7E41B002'] as const

function buildNvdLog4shell(): object {
  const criteria = formatCpe('apache', 'log4j')
  return nvdRecord(LOG4SHELL, {
    sourceIdentifier: 'security@apache.org',
    published: '2021-12-10T10:15:09.143',
    descriptions: inEnglish(
      'Log4j looks up names that stand in the text it logs. Anybody who gets a chosen name logged can have code loaded from elsewhere and run.',
    ),
    metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10)] },
    weaknesses: buildWeaknesses('CWE-502'),
    configurations: [
      configuration([
        { criteria, matchCriteriaId: MATCHES[0], versionStartIncluding: '2.4', versionEndExcluding: '2.12.2' },
        { criteria, matchCriteriaId: MATCHES[1], versionStartIncluding: '2.13.0', versionEndExcluding: '2.15.0' },
      ]),
    ],
    references: [
      {
        url: 'https://logging.apache.org/log4j/2.x/security.html',
        source: 'security@apache.org',
        tags: ['Release Notes', 'Vendor Advisory'],
      },
    ],
  })
}

function buildApacheLog4shell(): object {
  const shortName = 'apache'
  return {
    dataType: 'CVE_RECORD',
    dataVersion: '5.2',
    cveMetadata: {
      cveId: LOG4SHELL,
      state: 'PUBLISHED',
      assignerShortName: shortName,
      datePublished: '2021-12-10T00:00:00.000Z',
      dateUpdated: '2026-08-19T09:00:00.000Z',
    },
    containers: {
      cna: {
        providerMetadata: { orgId: 'f0158376-9dc2-43b6-827c-5f631a4d8d09', shortName },
        descriptions: inEnglish('Lookups in logged text can run code from elsewhere.'),
        references: [{ url: 'https://logging.apache.org/log4j/2.x/security.html' }],
      },
    },
  }
}

async function storeKevEntries(catalog: CatalogHarness): Promise<void> {
  await catalog.storeKev([
    {
      cveId: LOG4SHELL,
      vendorProject: 'Apache',
      product: 'Log4j2',
      vulnerabilityName: 'Apache Log4j2 runs code that logged text names',
      dateAdded: '2021-12-10',
      dueDate: '2021-12-24',
      shortDescription: 'Text that is logged can name code that Log4j2 then loads and runs.',
      requiredAction: 'Update Log4j2, or take what uses it off the network.',
    },
    {
      cveId: MOVEIT,
      vendorProject: 'Progress',
      product: 'MOVEit Transfer',
      vulnerabilityName: 'Progress MOVEit Transfer passes SQL on',
      dateAdded: '2023-06-02',
      dueDate: '2023-06-23',
      shortDescription: 'Its web pages pass SQL on to the database.',
      requiredAction: 'Apply the updates of the vendor.',
    },
  ])
}

const inEnglish = (value: string) => [{ lang: 'en', value }]

const buildWeaknesses = (id: string) => [{ source: 'nvd@nist.gov', type: 'Primary', description: inEnglish(id) }]

function formatCpe(vendor: string, product: string, version = '*'): string {
  return `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`
}
