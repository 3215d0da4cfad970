import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { account, aKey } from '../../service/test/support/builders.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { keyOf, world } from './world.ts'

const service = await world()
const { given, key, vis } = service
await given(cve('CVE-2021-44228'))
const folder = await mkdtemp(join(tmpdir(), 'vis-cli-'))
afterAll(() => rm(folder, { recursive: true }))

describe('the key', () => {
  it('is asked for where there is none', async () => {
    const { code, stdout, stderr } = await vis(['usage'], { VIS_API_KEY: '' })

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: There is no API key\.\nSet VIS_API_KEY, or .* --key-file\./)
  })

  it('comes from a file, which others should not be able to read', async () => {
    const file = join(folder, 'key')
    await writeFile(file, `${key}\n`, { mode: 0o600 })
    const quiet = await vis(['usage', '--key-file', file], { VIS_API_KEY: undefined })
    await chmod(file, 0o644)
    const warned = await vis(['usage', '--key-file', file], { VIS_API_KEY: undefined })

    expect([quiet.code, quiet.stderr]).toEqual([0, ''])
    expect([warned.code, warned.stderr]).toEqual([
      0,
      `warning: others on this machine can read ${file}; chmod 600 prevents that\n`,
    ])
  })

  it('is not taken from the command line, and not repeated', async () => {
    for (const words of [['--key', 'vis_live_secret'], ['--api-key=vis_live_secret']]) {
      const { code, stdout, stderr } = await vis(['usage', ...words])

      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('can be read by everybody on this machine')
      expect(stderr).not.toContain('secret')
    }
  })

  it('that is refused is explained', async () => {
    const expired = aKey()
    await given(account('pro').withKey(expired, { expired: true }))
    const wrong = await vis(['usage'], { VIS_API_KEY: 'vis_live_nonsense' })
    const old = await vis(['usage'], { VIS_API_KEY: expired.key })

    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(
      /^error: The API key is not accepted\.\nThe service does not know it.*\nCheck VIS_API_KEY/,
    )
    expect(old.stderr).toContain('It has expired.')
  })
})

describe('credits that are gone', () => {
  it('are explained: how many, until when, and what still works', async () => {
    const { key: poor } = await keyOf(service, 3)
    const { code, stderr } = await vis(['get', 'CVE-2021-44228'], { VIS_API_KEY: poor })

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^error: There are not enough credits left for this call\.\n29,997 of the 30,000 credits of this month are used; nothing was charged\.\nThey come back at \d{4}-\d\d-01T00:00:00Z, in \d+ days?\. .*vis usage is free\.\n$/,
    )
    expect(await vis(['usage'], { VIS_API_KEY: poor })).toMatchObject({ code: 0 })
  })
})

describe('what makes no sense', () => {
  it.each([
    [['serch'], 'vis has no command "serch"; did you mean search?'],
    [['frobnicate'], 'vis has no command "frobnicate".'],
    [['search', '--severty', 'high'], 'vis search has no flag --severty; did you mean --severity?'],
    [['search', '--limit', 'many'], '--limit must be a number from 1, not "many".'],
    [['search', 'a', '--q', 'b'], 'Words are given with --q or without, not both.'],
    [['search', '--fields', 'cve_id'], '--fields and --include shape --json only: add it.'],
    [['get'], 'vis get needs CVE ….'],
    [['kev', 'microsoft'], 'vis kev takes flags only, not "microsoft".'],
    [['detail', 'CVE-2021-44228', 'CVE-2014-0160'], 'vis detail takes one CVE only.'],
    [['completion', 'tcsh'], '"tcsh" is none of the shells bash, zsh, fish.'],
    [['usage', '--url', 'nowhere'], 'url must be an http or https address'],
    [['usage', '--key-file', '/does/not/exist'], 'The file /does/not/exist could not be read.'],
  ])('%j is not understood: exit code 2', async (words, message) => {
    const { code, stdout, stderr } = await vis(words)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: ${message}`)
  })

  it.each([
    [['search', '--kev', 'true'], '--kev takes no value, so not "true".\n--kev means true, --no-kev means false;'],
    [
      ['search', '--has-acsc=false'],
      '--has-acsc takes no value, so not "false".\n--has-acsc means true, --no-has-acsc',
    ],
    [['search', '--no-kev', '1'], '--no-kev takes no value, so not "1".\n--kev means true, --no-kev means false;'],
    [['kev', '--ransomware', 'FALSE'], '--ransomware takes no value, so not "FALSE".\n--ransomware means true,'],
    [['kev', '--all', 'true'], '--all takes no value, so not "true".\n--all alone turns it on.'],
  ])('%j: a filter of yes and no has no value, and the message says what to write', async (words, message) => {
    const { code, stdout, stderr } = await vis(words)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: ${message}`)
  })

  it('does not mean words before the flags, other words behind them, or values of other flags', async () => {
    const searches = [
      ['search', 'true', '--kev'],
      ['search', '--kev', 'log4j'],
      ['search', '--kev', '--limit', '1'],
      ['search', '--kev', '--', 'true'],
    ]

    for (const words of searches) expect(await vis(words)).toMatchObject({ code: 0 })
  })

  it('in a value is what the service says of it, in the words of the flags', async () => {
    const { code, stderr } = await vis(['search', '--sort', 'epss_dsc', '--severity', 'hihg'])

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^error: --severity "hihg": .* Did you mean high\?\n--sort "epss_dsc": .* Did you mean epss_desc\?\n$/,
    )
  })

  it('in an id is said of the id', async () => {
    const { stderr } = await vis(['get', 'CVE-21-1'])

    expect(stderr).toMatch(/^error: the CVE id "CVE-21-1": /)
  })
})

describe('the rest', () => {
  it('an unknown CVE is said to be unknown', async () => {
    const { code, stderr } = await vis(['get', 'CVE-1999-0001'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: .*\(NOT_FOUND\)/)
  })

  it('a plan that does not suffice is named', async () => {
    const { stderr } = await vis(['detail', 'CVE-2021-44228', '--vendor', 'redhat'])

    expect(stderr).toContain('It needs the plan enterprise.')
  })

  it('a service that is not there is asked after, with where its address came from', async () => {
    const { code, stderr } = await vis(['usage'], { VIS_URL: 'http://127.0.0.1:1' })

    expect(code).toBe(1)
    expect(stderr).toBe(
      'error: 127.0.0.1:1 could not be reached.\nIs http://127.0.0.1:1 right? That is what VIS_URL says. And is the service running there?\n',
    )
  })

  it('help is there for vis and for every command', async () => {
    const { code, stdout } = await vis([])
    const ofSearch = await vis(['search', '--help'], { VIS_API_KEY: '' })

    expect(code).toBe(0)
    expect(stdout).toMatch(/ {2}get +Everything about one CVE/)
    expect(ofSearch.stdout).toMatch(/--\[no-\]kev +in the KEV catalogue\n/)
    expect(ofSearch.stdout).toContain('--severity WORDS')
  })
})

describe('the rate limit of the free plan', () => {
  it('is waited for, and the caller is told', async () => {
    const limited = await world({ RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_WINDOW_SECONDS: '2' })
    const free = aKey()
    await limited.given(account('free').withKey(free), cve('CVE-2021-44228'))
    // Three, because a window may end between the first two.
    const thrice = Array.from({ length: 3 }, () => 'CVE-2021-44228')
    const { code, stderr } = await limited.vis(['get', ...thrice], { VIS_API_KEY: free.key })

    expect(code).toBe(0)
    expect(stderr).toMatch(/^The service is busy or wants a pause: trying again in [12] s\.\n/)
  })
})
