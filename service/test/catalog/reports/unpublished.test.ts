import { expect, it } from 'vitest'
import { explainUnpublished, readUnpublished } from '../../../src/catalog/reports/unpublished.ts'
import { parseCveId } from '../../../src/domain/cve-id.ts'
import { createCatalogHarness } from '../catalog-setup.ts'

const { context, selectRows } = await createCatalogHarness()

async function explainStored(id: string) {
  const cveId = parseCveId(id)
  if (cveId === undefined) throw new Error(`${id} is not a CVE id`)
  return explainUnpublished(await readUnpublished(context.session.db, cveId))
}

it('explain shows when EU KEV listed a CVE, when the entry was removed and who reported the exploitation', async () => {
  await selectRows(`
    insert into source.eu_kev_entry (cve_id, euvd_id, vendor_project, product, date_reported, date_listed, origin,
                                     exploitation, threat_actors, cwes, content_hash, first_stored_at, removed_at)
    values ('CVE-2024-0001', 'EUVD-1', 'Halvorsen', 'MailGate', '2026-08-17', '2026-08-18', 'CERT-XX',
            '{APT,ransomware}', '{}', '{}', '', '2026-08-18T06:00:00Z', null),
           ('CVE-2024-0002', 'EUVD-2', 'Halvorsen', 'MailGate', '2026-08-17', '2026-08-18', E'CERT\\u001b[2J',
            '{unknown}', '{}', '{}', '', '2026-08-18T06:00:00Z', '2026-08-20T06:00:00Z')
  `)

  expect(await explainStored('CVE-2024-0001')).toContainEqual({
    name: 'eu kev',
    value: 'listed 2026-08-18, APT, ransomware, reported by CERT-XX',
    by: 'enisa',
    time: '2026-08-18',
    runnersUp: [],
  })
  expect(await explainStored('CVE-2024-0002')).toContainEqual(
    expect.objectContaining({
      value: 'listed 2026-08-18, removed 2026-08-20T06:00:00Z, unknown, reported by CERT [2J',
    }),
  )
})

it('explain shows a dash for a CVE that EU KEV does not list', async () => {
  expect(await explainStored('CVE-2024-0009')).toContainEqual({
    name: 'eu kev',
    value: '–',
    by: '',
    time: '',
    runnersUp: [],
  })
})

it('explain shows the state of a CVE in each Debian package and release', async () => {
  await selectRows(`
    insert into source.debian_status (package, cve_id, release, status, fixed_version, urgency, content_hash)
    values ('openssh', 'CVE-2024-0003', 'sid', 'open', null, 'low', ''),
           ('openssh', 'CVE-2024-0003', 'bookworm', 'resolved', '1:9.2p1-2+deb12u3', 'not yet assigned', ''),
           ('dropbear', 'CVE-2024-0003', 'sid', 'undetermined', null, null, '')
  `)
  const lines = (await explainStored('CVE-2024-0003')).filter(({ name }) => name === 'debian')
  expect(lines.map(({ value, by }) => [value, by])).toEqual([
    ['dropbear: sid undetermined', 'debian'],
    ['openssh: bookworm resolved 1:9.2p1-2+deb12u3, sid open', 'debian'],
  ])
})
