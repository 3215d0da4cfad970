import { Client } from 'pg'
import { expect, it } from 'vitest'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { spawnCommand } from '../support/processes/command.ts'
import { rss } from './sources/acsc/documents.ts'
import {
  buildCapec,
  buildMapping,
  buildMappingFile,
  buildStixBundle,
  buildTechnique,
} from './sources/attack/fixtures.ts'
import { buildDebianTracker } from './sources/debian/fixtures.ts'
import { buildEuKevEntry } from './sources/eukev/fixtures.ts'
import { advisory } from './sources/ghsa/fixtures.ts'
import { msrcDocument, vulnerability } from './sources/msrc/fixtures.ts'
import { nvdContainer, nvdRecord } from './sources/nvd/fixtures.ts'
import { osvAdvisory } from './sources/osv/fixtures.ts'
import { vex } from './sources/redhat/fixtures.ts'
import { buildEpssFile, buildKevFile, writeTemporaryDirectory } from './temporary-files.ts'

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
  const from = await writeTemporaryDirectory({
    'nvdcve-2.0-2024.json.gz': nvdContainer([nvdRecord('CVE-2024-0001')]),
    'known_exploited_vulnerabilities.json': buildKevFile(['CVE-2024-0001']),
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
    'go-vulndb.ndjson': `${JSON.stringify(osvAdvisory('GO-2024-0001'))}\n`,
    'rustsec.ndjson': `${JSON.stringify(osvAdvisory('RUSTSEC-2024-0001'))}\n`,
    'bitnami.ndjson': `${JSON.stringify(osvAdvisory('BIT-acme-2024-0001'))}\n`,
    'almalinux.ndjson': `${JSON.stringify(osvAdvisory('ALSA-2024:0001'))}\n`,
    'pypa.ndjson': `${JSON.stringify(osvAdvisory('PYSEC-2024-1'))}\n`,
    'debian-tracker.json': JSON.stringify(buildDebianTracker(1)),
    'redhat.ndjson': `${JSON.stringify(vex('CVE-2024-0001'))}\n`,
    'msrc-2024-Aug.json': msrcDocument('2024-Aug', [vulnerability('CVE-2024-0001')]),
  })

  const { stdout, stderr } = await spawnCommand(['sync', '--from', from, '--json'], { DATABASE_URL: login.href })

  const outcomes = JSON.parse(stdout).map(({ feed, outcome }: { feed: string; outcome: string }) => [feed, outcome])
  expect(Object.fromEntries(outcomes), stderr).toEqual({
    nvd: 'succeeded',
    cve: 'succeeded',
    kev: 'succeeded',
    'kev-history': 'succeeded',
    eukev: 'succeeded',
    epss: 'succeeded',
    'epss-history': 'succeeded',
    acsc: 'succeeded',
    cwe: 'succeeded',
    attack: 'succeeded',
    capec: 'succeeded',
    'attack-mapping': 'succeeded',
    exploitdb: 'succeeded',
    metasploit: 'succeeded',
    nuclei: 'succeeded',
    poc: 'succeeded',
    overrides: 'succeeded',
    ghsa: 'succeeded',
    'osv-go': 'succeeded',
    'osv-rustsec': 'succeeded',
    'osv-bitnami': 'succeeded',
    'osv-almalinux': 'succeeded',
    'osv-pypa': 'succeeded',
    redhat: 'succeeded',
    msrc: 'succeeded',
    debian: 'succeeded',
  })
  expect((await spawnCommand(['feeds'], { DATABASE_URL: login.href })).code).toBe(0)
})

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
