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

it('explain shows the state of a CVE in each Debian package and release', async () => {
  await selectRows(`
    insert into source.debian_status (package, cve_id, release, status, fixed_version, urgency, is_described,
                                      content_hash)
    values ('openssh', 'CVE-2024-0003', 'sid', 'open', null, 'low', true, ''),
           ('openssh', 'CVE-2024-0003', 'bookworm', 'resolved', '1:9.2p1-2+deb12u3', 'not yet assigned', true, ''),
           ('dropbear', 'CVE-2024-0003', 'sid', 'undetermined', null, null, true, '')
  `)
  const lines = (await explainStored('CVE-2024-0003')).filter(({ name }) => name === 'debian')
  expect(lines.map(({ value, by }) => [value, by])).toEqual([
    ['dropbear: sid undetermined', 'debian'],
    ['openssh: bookworm resolved 1:9.2p1-2+deb12u3, sid open', 'debian'],
  ])
})
