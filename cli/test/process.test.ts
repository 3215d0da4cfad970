// Runs every command once as a process of its own, as a caller does. All other tests run main() in the test process.
import { describe, expect, it } from 'vitest'
import { cve, statistic } from '../../service/test/support/catalog/cve-builder.ts'
import { buildDetailRecord } from '../../service/test/support/catalog/cve-fragments.ts'
import { freshDatasets } from '../../service/test/support/catalog/example-catalog.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, spawnVisctl } = await startVisctlSetup()
await given(
  ...freshDatasets,
  cve('CVE-2026-0001', {
    published: '2026-08-21T10:00:00Z',
    kev: { product: 'Gateway' },
    details: { nvd: buildDetailRecord('CVE-2026-0001', 'nvd') },
  }),
  statistic({ totalCves: 1, totalKev: 1, totalWithEpss: 0, totalWithAcsc: 0, averageEpss: 0 }),
)

describe('visctl as a process', () => {
  it.each([
    [['get', 'CVE-2026-0001'], /^CVE-2026-0001 /],
    [['search'], /^CVE .*\nCVE-2026-0001 /],
    [['recent'], /^CVE .*\nCVE-2026-0001 /],
    [['kev'], /^CVE .*\nCVE-2026-0001 /],
    [['detail', 'CVE-2026-0001'], /^CVE-2026-0001 {2}as recorded by nvd\n/],
    [['usage'], /^Plan +pro\n/],
    [['stats'], /^CVEs +1\n/],
    [['ping'], /^ok at /],
    [['completion', 'bash'], /complete -F _visctl visctl\n$/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
  ])('visctl %j prints its result and exits with 0', async (argv, output) => {
    const { code, stdout, stderr } = await spawnVisctl(argv)

    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(output)
  })

  it('visctl gate reads ids from standard input and passes exit codes 0, 1 and 2 to the shell', async () => {
    const check = async (ids: string, ...conditions: readonly string[]) =>
      (await spawnVisctl(['gate', ...conditions], {}, ids)).code

    expect(
      await Promise.all([
        check('CVE-2026-0001\n', '--severity', 'critical'),
        check('CVE-2026-0001\n', '--kev'),
        check('CVE-2026-0009\n', '--kev'),
      ]),
    ).toEqual([0, 1, 2])
  })

  it('exits with code 2 on wrong usage', async () => {
    expect(await spawnVisctl(['serch'])).toMatchObject({ code: 2, stdout: '' })
  })
})
