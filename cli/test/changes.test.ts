import { describe, expect, it } from 'vitest'
import { publishExamples } from '../../service/test/support/catalog/example-catalog.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { database, visctl } = await startVisctlSetup()
await publishExamples(database.url)

describe('visctl changes', () => {
  it('prints each change with old and new values, and the position to continue with', async () => {
    const { code, stdout, stderr } = await visctl(['changes', 'start', '--types', 'kev_added', '--limit', '1'])
    expect(code).toBe(0)
    const [heading, row] = stdout.trim().split('\n')
    expect(heading).toMatch(/^RECORDED +HAPPENED +CVE +TYPES +OLD AND NEW$/)
    expect(row).toMatch(
      /^2026-08-21T20:01:21Z +2021-12-10 +CVE-2021-44228 +became_urgent, exploit_added, kev_added, published, ransomware_added +priority\.level none → P0; /,
    )
    expect(stderr).toMatch(
      /^There are more\. Continue with: visctl changes --since \d+:[0-9a-f]{16} --types kev_added --limit 1\n$/,
    )
  })

  it('continues with all its options, quoted for the shell', async () => {
    const options = ['--types', 'kev_added,published', '--product-vendor', "d'arc & co", '--no-kev', '--cause', 'all']
    const { stderr } = await visctl(['changes', 'start', ...options])
    expect(stderr).toContain(" --types kev_added,published --no-kev --product-vendor 'd'\\''arc & co' --cause all\n")
  })

  it('understands days and durations, and says how it read them', async () => {
    // The service's clock shows 2026-08-22, a Saturday.
    const readNote = async (since: string) => (await visctl(['changes', '--since', since])).stderr.split(' (')[0]
    expect(await readNote('yesterday')).toBe('Published by the service since 2026-08-21T00:00:00Z')
    expect(await readNote('Saturday')).toBe('Published by the service since 2026-08-22T00:00:00Z')
    expect(await readNote('fri')).toBe('Published by the service since 2026-08-21T00:00:00Z')
    expect(await readNote('2026-08-21T20:01:00Z')).toContain('Continue with')
    expect((await visctl(['changes', '--since', '2026-08-22'])).stdout).not.toContain('CVE-')
    expect((await visctl(['changes', '--since', '2d'])).stderr).toContain('complete since 2026-08-20T20:00:00Z')
    for (const since of ['Monday', '2w']) expect((await visctl(['changes', '--since', since])).code).toBe(1)
    expect((await visctl(['changes', '--since', 'soon'])).stderr).toContain('yesterday, a weekday or a duration')
    expect((await visctl(['changes'])).stderr).toContain('Say since when')
  })

  it("prints the service's response as JSON", async () => {
    const { stdout } = await visctl(['changes', 'now', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ changes: [], has_more: false })
  })

  it('explains what to do about a position that is no longer kept', async () => {
    const { code, stderr } = await visctl(['changes', '1:00000000000000aa'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('Take a new full copy')
  })
})

describe('visctl kev --history', () => {
  it('lists the entries that KEV has or had, or those of one CVE', async () => {
    const { stdout } = await visctl(['kev', '--history', '--cve-id', 'CVE-2021-44228'])
    expect(stdout).toMatch(/^CVE +ADDED +REMOVED +CHANGES +NAME\nCVE-2021-44228 +2021-12-10 +0 +.+\n$/)
    expect((await visctl(['kev', '--history', '--removed'])).stderr).toContain('No records found.')
  })
})
