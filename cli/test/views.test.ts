import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, visctl } = await startVisctlSetup()
const saver = createTestKey()
await given(account('pro').withKey(saver, { name: 'saver', scopes: ['read', 'watch'] }))
const run = (...argv: readonly string[]) => visctl(argv, { VIS_API_KEY: saver.key })

describe('visctl views', () => {
  it('saves a search with a relative day, lists it, runs it, and removes it', async () => {
    const saved = await run(
      'views',
      'save',
      'New here',
      '--kev-added-after',
      'today-30d',
      '--severity',
      'high,critical',
    )
    expect(saved).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^Saved view \d+ \(New here\)/) })

    const { stdout } = await run('views', 'list')
    expect(stdout).toMatch(/^ID +NAME +KIND +QUERY\n/)
    expect(stdout).toMatch(/new-in-kev +New in KEV +built in +kev_added_after=today-30d/)
    expect(stdout).toMatch(/\d+ +New here +shared +severity=critical,high&kev_added_after=today-30d/)

    expect(await run('search', '--view', 'new HERE', '--json')).toMatchObject({ code: 0 })
    expect(await run('search', '--view', 'not-assessed', '--vendor', 'nvd', '--csv')).toMatchObject({ code: 0 })
    expect(await run('views', 'remove', 'New here')).toMatchObject({ code: 0, stdout: '' })
    expect((await run('views', 'list')).stdout).not.toContain('New here')
  })

  it('prints no characters of a name that change the direction of text', async () => {
    const saved = await run('views', 'save', 'a\u202eb', '--kev')
    expect(saved.stderr).toContain('(a\ufffdb)')
    expect((await run('views', 'remove', 'a\u202eb')).stderr).toContain('(a\ufffdb)')
  })

  it('says what is known if there is no such view', async () => {
    const { code, stderr } = await run('search', '--view', 'absent')
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/There is no view "absent"(?:.|\n)*Known are: Became urgent/),
    ])
  })

  it('shows a key without the scope the built-in views, and says so', async () => {
    const { code, stdout, stderr } = await visctl(['views', 'list'])
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('not-assessed'),
      expect.stringContaining('This key lacks the scope watch'),
    ])
    expect((await visctl(['views', 'save', 'x', '--kev'])).stderr).toContain('an API key with the scope watch')
  })

  it.each([
    [['views', 'save', 'x'], 'visctl views save needs filters.'],
    [['views', 'save', 'x', '--kev', '--query', 'kev=true'], 'Filters are given both with --query and as options.'],
    [['views', 'list', 'x'], 'visctl views list takes no argument.'],
    [['views', 'remove'], 'visctl views remove needs the name of a view.'],
    [['views', 'save', 'x', '--query', 'kevv=true'], 'query.kevv'],
  ])('explains what is wrong with %j', async (argv, message) => {
    const { code, stderr } = await run(...argv)
    expect([code !== 0, stderr]).toEqual([true, expect.stringContaining(message)])
  })
})
