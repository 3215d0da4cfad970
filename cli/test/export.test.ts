import { expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, visctl } = await startVisctlSetup()
await given(
  cve('CVE-2026-0666', { description: 'Red \u001b[31mtext \u202etxet\r\n::error::forged "a", b' }),
  cve('CVE-2026-0667', { description: '=1+1' }),
)

it('visctl export prints a CSV file without control characters and commands of CI systems', async () => {
  const { code, stdout } = await visctl(['export', '--sort', 'published_desc'])
  const lines = stdout.split('\r\n')
  expect([code, lines.length]).toEqual([0, 5])
  expect(lines[0]).toMatch(/^cve_id,.*,description$/)
  expect(stdout).toContain('"Red \ufffd[31mtext \ufffdtxet\r\n: :error::forged ""a"", b"\r\n')
  expect(stdout).toContain(",'=1+1\r\n")
})
