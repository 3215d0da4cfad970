// visctl while the service loads its catalog for the first time: nothing passes a gate.
import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { createTestDatabase } from '../../service/test/support/database.ts'
import { runStatements } from '../../service/test/support/run-statements.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { url } = await createTestDatabase()
await runStatements(
  url,
  'update catalog.first_load set finished_at = null, cves_done = 1000, cves_total = 3000',
  `insert into catalog.first_load_feed values ('kev', false), ('epss', false)`,
  `update catalog.dataset set last_run_at = now(), last_run_result = 'failed' where name = 'kev'`,
)
const { given, visctl } = await startVisctlSetup({ DATABASE_URL: url })
await given(cve('CVE-2026-1001'))

const PROGRESS = /1 of 2 feeds have run, 1,000 of 3,000 CVEs are published/
const SBOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', purl: 'pkg:npm/a@1' }],
})

describe('visctl while the catalog is loading', () => {
  it('shows the progress and the feeds that are awaited in health', async () => {
    const { stdout } = await visctl(['health'])

    expect(stdout).toMatch(/^Status +degraded\nLoading +1 of 2 feeds/)
    const text = stdout.replaceAll(/\s+/g, ' ')
    expect(text).toMatch(PROGRESS)
    expect(text).toContain('waiting for epss')
  })

  it.each([
    ['a list of ids', ['gate', '--severity', 'low', 'CVE-2026-1001'], ''],
    ['a document', ['scan', '--fail-on', 'P4', '-'], SBOM],
  ])('exits with 2 in a gate of %s', async (_what, argv, stdin) => {
    const { code, stdout, stderr } = await visctl(argv, {}, stdin)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(PROGRESS)
  })
})
