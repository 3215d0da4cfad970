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
    expect(heading).toMatch(/^AT +CVE +TYPES +OLD AND NEW$/)
    expect(row).toMatch(/CVE-2021-44228 +kev_added, published, ransomware_added +kev\.dateAdded none → 2021-12-10; /)
    expect(stderr).toMatch(/^There are more\. Continue with: visctl changes \d+:[0-9a-f]{16}\n$/)
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
