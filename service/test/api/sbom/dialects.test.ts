// SBOMs of different tools about the same packages must lead to the same findings.
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../catalog/catalog-setup.ts'
import { nvdRecord } from '../../catalog/source-fixtures.ts'
import { startTestService } from '../../support/service.ts'
import { CYCLONEDX } from './dialects/cyclonedx.ts'
import { EXPECTED } from './dialects/packages.ts'
import { SPDX } from './dialects/spdx.ts'

const { api, database } = await startTestService()
const catalog = await createCatalogHarness(database.url)

for (const id of ['CVE-2024-5535', 'CVE-2024-6387', 'CVE-2024-38428', 'CVE-2021-23337', 'CVE-2021-44228'])
  await catalog.storeRecord('nvd', id, nvdRecord(id, { configurations: [] }))
await catalog.storeRecord(
  'nvd',
  'CVE-2023-24329',
  nvdRecord('CVE-2023-24329', {
    configurations: [
      {
        nodes: [
          {
            operator: 'OR',
            negate: false,
            cpeMatch: [
              { vulnerable: true, criteria: 'cpe:2.3:a:python:python:*:*:*:*:*:*:*:*', versionEndExcluding: '3.7.17' },
            ],
          },
        ],
      },
    ],
  }),
)
await catalog.selectRows(`
  insert into source.debian_status (package, cve_id, release, status, fixed_version, content_hash)
  values ('openssl', 'CVE-2024-5535', 'bookworm', 'resolved', '3.0.15-1~deb12u1', ''),
         ('openssl', 'CVE-2024-5535', 'bullseye', 'resolved', '1.1.1w-0+deb11u2', ''),
         ('openssh', 'CVE-2024-6387', 'bookworm', 'resolved', '1:9.2p1-2+deb12u3', ''),
         ('openssh', 'CVE-2024-6387', 'bullseye', 'resolved', '0', ''),
         ('wget', 'CVE-2024-38428', 'bookworm', 'resolved', '1.21.3-1+deb12u1', ''),
         ('wget', 'CVE-2024-38428', 'bullseye', 'open', null, '')
`)
await catalog.storeRecord('redhat', 'CVE-2024-6119', {
  advisories: [],
  scores: [],
  products: [
    {
      vendor: 'Red Hat',
      product: 'Red Hat Enterprise Linux 9',
      status: 'fixed',
      cpe: 'cpe:/o:redhat:enterprise_linux:9::baseos',
      purl: 'pkg:rpm/redhat/openssl',
      fixed: '1:3.0.7-28.el9_4',
    },
  ],
})
await storeAdvisory('GHSA-35jh-r3h4-6jhm', 'CVE-2021-23337', 'pkg:npm/lodash', '4.17.21')
await storeAdvisory('GHSA-jfh8-c2jp-5v3q', 'CVE-2021-44228', 'pkg:maven/org.apache.logging.log4j/log4j-core', '2.15.0')
await catalog.publish()

async function storeAdvisory(id: string, cveId: string, purl: string, fixed: string) {
  const record = {
    advisories: [id],
    cve_id: cveId,
    title: 'A flaw',
    published: '2021-12-01T10:00:00Z',
    withdrawn: false,
    scores: [],
    products: [{ vendor: 'x', product: 'x', status: 'affected', cpe: null, purl, fixed }],
  }
  await catalog.selectRows(`
    insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
    values ('${id}', '${cveId}', '', '2021-12-02T10:00:00Z', '${JSON.stringify(record)}')
  `)
}

interface AnsweredMatch {
  readonly id: string
  readonly confidence: string
  readonly fixed_in: readonly { readonly version: string }[]
}

interface AnsweredComponent {
  readonly interpreted_as: { readonly product: string }
  readonly matches: readonly AnsweredMatch[]
}

async function findAll(document: object): Promise<readonly string[]> {
  const { status, json } = await api.send('POST', '/api/v1/sbom', { body: JSON.stringify(document) })
  expect([status, json.error]).toEqual([200, undefined])
  const components: readonly AnsweredComponent[] = json.data.components
  const found = components.flatMap(({ interpreted_as: { product }, matches }) =>
    matches.map(({ id, confidence, fixed_in }) => `${product} ${id} ${confidence} ${fixed_in[0]?.version}`),
  )
  return [...new Set(found)].sort()
}

describe('SBOMs of different tools', () => {
  it.each([...CYCLONEDX, ...SPDX])('finds the same in a document of $tool', async ({ lists, document }) => {
    expect(await findAll(document)).toEqual(EXPECTED[lists])
  })

  it('compares the CPE name that sources use, if a document lists several', async () => {
    const python = (vendor: string) => `cpe:2.3:a:${vendor}:python:3.7.4:*:*:*:*:*:*:*`
    const component = {
      type: 'application',
      name: 'python',
      version: '3.7.4',
      purl: 'pkg:generic/python@3.7.4',
      cpe: python('python_software_foundation'),
      properties: [{ name: 'syft:cpe23', value: python('python') }],
    }
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [component] }
    expect(await findAll(document)).toEqual(['python CVE-2023-24329 high 3.7.17'])
  })
})
