import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startVisctlSetup } from './visctl-setup.ts'

/** The clock of the service shows 2026-08-22. */
const { given, visctl } = await startVisctlSetup()
await given(
  cve('CVE-2026-0001', { published: '2026-08-01T00:00:00Z', score: 9.8, products: ['fortinet/fortios'] }),
  cve('CVE-2026-0002', { published: '2026-08-03T00:00:00Z', score: 5, products: ['fortinet/fortiweb'] }),
  cve('CVE-2026-0003', { published: '2026-08-04T00:00:00Z', score: null, products: ['acme/box'] }),
)

describe('visctl stats series', () => {
  it('prints a row with a bar for each bucket, and what is counted', async () => {
    const { code, stdout, stderr } = await visctl([
      'stats',
      'series',
      'published',
      '--bucket',
      'week',
      '--from',
      '2026-07-31',
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^FROM +TO +COUNT *\n2026-07-31 +2026-08-02 +\? *\n2026-08-03 +2026-08-09 +2 +█+\n/)
    expect(stderr).toMatch(/^CVEs by the day of their publication.*\nNot known before 2026-08-01T00:00:00Z\.\n$/)
  })

  it('prints a column for each value with --by, and CSV', async () => {
    const options = ['--bucket', 'month', '--from', '2026-08-01', '--by', 'severity']
    const { stdout } = await visctl(['stats', 'series', 'published', ...options])
    expect(stdout).toMatch(/CRITICAL +HIGH +MEDIUM +LOW +NONE +COUNT *\n2026-08-01 +2026-08-22 +1 +0 +1 +0 +1 +3 /)
    expect((await visctl(['stats', 'series', 'published', ...options, '--csv'])).stdout).toBe(
      'from,to,critical,high,medium,low,none,count\r\n2026-08-01,2026-08-22,1,0,1,0,1,3\r\n',
    )
  })

  it("asks for a metric, and prints the service's error for a value that does not fit it", async () => {
    expect(await visctl(['stats', 'series'])).toMatchObject({ code: 2 })
    const { code, stderr } = await visctl(['stats', 'series', 'published', '--by', 'catalog'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('severity, priority')
  })
})

describe('visctl stats top', () => {
  it('prints the names with the most events, and how many have no name', async () => {
    const { stdout, stderr } = await visctl(['stats', 'top', 'published', '--from', '2026-08-01', '--limit', '1'])
    expect(stdout).toMatch(/^VENDOR +COUNT *\nfortinet +2 +█+\n$/)
    expect(stderr).toContain('3 from 2026-08-01 to 2026-08-22, 0 of them without such a name.')
  })

  it('rejects options of a series', async () => {
    expect(await visctl(['stats', 'top', 'published', '--by', 'severity'])).toMatchObject({ code: 2 })
  })
})
