import { Client } from 'pg'
import { expect, it } from 'vitest'
import { OSV_SOURCES } from '../../src/domain/source/osv-sources.ts'
import { SOURCE_IDS } from '../../src/domain/source/sources.ts'
import { feedDefinitions } from '../../src/feeds/index.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { spawnCommand } from '../support/processes/command.ts'
import { FEED_TABLE } from './contract/feed-table.ts'
import { buildKevFile, writeTemporaryDirectory } from './temporary-files.ts'

it('the sync command imports every feed with a database login that has only the role vis_feeds', async () => {
  const { url, name } = await createTestDatabase()
  const owner = new Client({ connectionString: url })
  await owner.connect()
  await owner.query(`create role ${name}_feeds login in role vis_feeds`)
  cleanUpAfterTests(async () => {
    await owner.query(`drop owned by ${name}_feeds; drop role ${name}_feeds`)
    await owner.end()
  })
  const login = new URL(url)
  login.username = `${name}_feeds`
  const files = Object.values(FEED_TABLE).map(({ file, write }) => [file, write([{ index: 0, isValid: true }])])
  const from = await writeTemporaryDirectory({
    ...Object.fromEntries(files),
    'kev-history.ndjson': `${buildKevFile(['CVE-2024-0001'])}\n`,
    'eukev.json': JSON.stringify([buildEuKevEntry('CVE-2024-0001')]),
    'epss_scores-2026-08-21.csv.gz': buildEpssFile({ 'CVE-2024-0001': 0.5 }),
    'acsc-alerts.xml': rss([{ slug: 'acme-portal', description: 'About CVE-2024-0001.' }]),
    'cvelist5.ndjson': `${JSON.stringify(cveLine)}\n`,
    'cwe.csv':
      'id,kind,name,abstraction,status,description\nCWE-20,weakness,Improper Input Validation,Class,Draft,Input is not validated.\n',
    'enterprise-attack.json': buildStixBundle([buildTechnique('T1190')]),
    'stix-capec.json': buildStixBundle([buildCapec(66)]),
    'kev_attack_mapping-2025-07-28.json': buildMappingFile([buildMapping('CVE-2024-0001', 'T1190')]),
    'files_exploits.csv': 'id,description,date_published,verified,codes\n1,Acme Portal,2024-05-06,1,CVE-2024-0001\n',
    'modules_metadata_base.json': JSON.stringify({
      'exploit/multi/acme_portal': { fullname: 'exploit/multi/acme_portal', name: 'Acme Portal' },
    }),
    'cves.json': '{"ID":"CVE-2024-0001","Info":{"Name":"Acme Portal"},"file_path":"a.yaml"}\n',
    'poc_in_github.ndjson': '{"cve":"CVE-2024-0001","repos":[{"html_url":"https://github.com/anna/acme-portal"}]}\n',
    'nvd_overrides_anchore.ndjson': '{"_annotation":{"cve_id":"CVE-2024-0001"},"cve":{}}\n',
    'ghsa.ndjson': `${JSON.stringify(advisory(1).osv)}\n`,
    ...osvFiles,
    'debian-tracker.json': JSON.stringify(buildDebianTracker(1)),
    'redhat.ndjson': `${JSON.stringify(vex('CVE-2024-0001'))}\n`,
    'msrc-2024-Aug.json': msrcDocument('2024-Aug', [vulnerability('CVE-2024-0001')]),
  })

  const { stdout, stderr } = await spawnCommand(['sync', '--from', from, '--json'], { DATABASE_URL: login.href })

  const outcomes = JSON.parse(stdout).map(({ feed, outcome }: { feed: string; outcome: string }) => [feed, outcome])
  expect(Object.fromEntries(outcomes), stderr).toEqual(Object.fromEntries(SOURCE_IDS.map((id) => [id, 'succeeded'])))
  expect((await spawnCommand(['feeds'], { DATABASE_URL: login.href })).code).toBe(0)
})

const osvFiles = Object.fromEntries(
  Object.values(OSV_SOURCES).map(({ files, advisories }) => [
    `${files}.ndjson`,
    `${JSON.stringify(osvAdvisory(advisories.example))}\n`,
  ]),
)

const cveLine = {
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: { cveId: 'CVE-2024-0001', state: 'PUBLISHED', dateUpdated: '2026-08-20T09:00:00.000Z' },
  containers: {
    cna: {
      descriptions: [{ lang: 'en', value: 'Acme Portal allows remote code execution.' }],
      affected: [],
      references: [],
    },
  },
}
