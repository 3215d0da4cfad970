import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { main } from '../src/main.ts'
import { issueKey, startVisctlSetup } from './visctl-setup.ts'

const service = await startVisctlSetup()
const { given, key, visctl } = service
await given(cve('CVE-2021-44228'))
const folder = await mkdtemp(join(tmpdir(), 'visctl-'))
afterAll(() => rm(folder, { recursive: true }))

describe('visctl: API key', () => {
  it('exits with 2 and advice if there is no API key', async () => {
    const { code, stdout, stderr } = await visctl(['usage'], { VIS_API_KEY: '' })

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: There is no API key\.\nSet VIS_API_KEY, or .* --key-file FILE\./)
  })

  it('reads the key from --key-file and warns if other users can read the file', async () => {
    const file = join(folder, 'key')
    await writeFile(file, `${key}\n`, { mode: 0o600 })
    const quiet = await visctl(['usage', '--key-file', file], { VIS_API_KEY: undefined })
    await chmod(file, 0o644)
    const warned = await visctl(['usage', '--key-file', file], { VIS_API_KEY: undefined })

    expect([quiet.code, quiet.stderr]).toEqual([0, ''])
    expect([warned.code, warned.stderr]).toEqual([0, `warning: other users can read ${file}; run: chmod 600 ${file}\n`])
  })

  it('rejects a key on the command line without printing it', async () => {
    for (const option of [['--key', 'vis_live_secret'], ['--api-key=vis_live_secret']]) {
      const { code, stdout, stderr } = await visctl(['usage', ...option])

      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('is visible to every user of this machine')
      expect(stderr).not.toContain('secret')
    }
  })

  it('explains why the service rejected the key', async () => {
    const expired = createTestKey()
    await given(account('pro').withKey(expired, { expired: true }))
    const wrong = await visctl(['usage'], { VIS_API_KEY: 'vis_live_nonsense' })
    const old = await visctl(['usage'], { VIS_API_KEY: expired.key })

    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(
      /^error: The API key is not accepted\.\nThe service does not know the key\..*\nCheck VIS_API_KEY/,
    )
    expect(old.stderr).toContain('The key has expired.')
  })
})

describe('visctl: error CREDIT_LIMIT_EXCEEDED', () => {
  it('prints the credits used and when they reset', async () => {
    const { key: poorKey } = await issueKey(service, 3)
    const { code, stderr } = await visctl(['get', 'CVE-2021-44228'], { VIS_API_KEY: poorKey })

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^error: Not enough credits are left for this call\.\n29,997 of the 30,000 credits of this month are used\. This call was not charged\.\nCredits are reset at \d{4}-\d\d-01T00:00:00Z, in \d+ days?\. .*visctl usage is free\.\n$/,
    )
    expect(await visctl(['usage'], { VIS_API_KEY: poorKey })).toMatchObject({ code: 0 })
  })
})

describe('visctl: wrong usage', () => {
  it.each([
    [['serch'], "unknown command 'serch'\n(Did you mean search?)\nvisctl --help lists the commands."],
    [['frobnicate'], "unknown command 'frobnicate'\nvisctl --help lists the commands."],
    [
      ['search', '--severty', 'high'],
      "unknown option '--severty'\n(Did you mean --severity?)\nvisctl search --help lists the options.",
    ],
    [['search', '--limit', 'many'], "option '--limit <n>' argument 'many' is invalid. It must be a whole number"],
    [['search', '--limit', '0'], "option '--limit <n>' argument '0' is invalid. It must be a whole number"],
    [
      ['search', 'a', '--q', 'b'],
      'Words to search for are given both as an argument and with --q. Use one of the two.',
    ],
    [['search', '--fields', 'cve_id'], '--fields and --include require --json.'],
    [['recent', '--include', 'acsc'], '--fields and --include require --json.'],
    [['get', 'CVE-2021-44228', '--fields', 'cve_id'], '--fields and --include require --json.'],
    [['get'], 'There are no CVE ids in stdin.'],
    [['get', 'CVE-2021-44228', 'CVE-21-1'], '"CVE-21-1" is not a CVE id such as CVE-2021-44228.'],
    [['get', '--file', '/does/not/exist'], 'The file /does/not/exist could not be read'],
    [['kev', 'microsoft'], "too many arguments for 'kev'. Expected 0 arguments but got 1"],
    [['detail', 'CVE-2021-44228', 'CVE-2014-0160'], "too many arguments for 'detail'. Expected 1 argument but got 2"],
    [
      ['completion', 'tcsh'],
      "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash,",
    ],
    [['usage', '--url', 'nowhere'], 'url must be an http or https address'],
    [['usage', '--key-file', '/does/not/exist'], 'The key file /does/not/exist could not be read.'],
    [['usage', '--key-file'], "option '--key-file <file>' argument missing"],
  ])('exits with 2 and explains what is wrong with the arguments %j', async (argv, message) => {
    const { code, stdout, stderr } = await visctl(argv)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: ${message}`)
  })

  it.each([
    [
      ['search', '--kev', 'true'],
      '--kev takes no value, but "true" was given.\n--kev means true and --no-kev means false.',
    ],
    [
      ['search', '--has-acsc=false'],
      '--has-acsc takes no value, but "false" was given.\n--has-acsc means true and --no-has-acsc',
    ],
    [
      ['search', '--no-kev', '1'],
      '--no-kev takes no value, but "1" was given.\n--kev means true and --no-kev means false.',
    ],
    [['kev', '--ransomware', 'FALSE'], '--ransomware takes no value, but "FALSE" was given.\n--ransomware means true'],
    [['kev', '--all', 'true'], '--all takes no value, but "true" was given.\nWrite --all alone.'],
  ])('exits with 2 and explains how to write a boolean option that was given a value: %j', async (argv, message) => {
    const { code, stdout, stderr } = await visctl(argv)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: ${message}`)
  })

  it('removes control characters from error messages about wrong arguments', async () => {
    const { stderr } = await visctl(['search', '--\u001b[31mred'])

    expect(stderr).toContain("error: unknown option '--\ufffd[31mred'")
  })

  it('accepts words such as true and 1 before the options, after -- and as values of other options', async () => {
    const accepted = [
      ['search', 'true', '--kev'],
      ['search', '--kev', 'log4j'],
      ['search', '--kev', '--limit', '1'],
      ['search', '--kev', '--', 'true'],
    ]

    for (const argv of accepted) expect(await visctl(argv)).toMatchObject({ code: 0 })
  })

  it("prints the service's messages about wrong values with the names of the options", async () => {
    const { code, stderr } = await visctl(['search', '--sort', 'epss_dsc', '--severity', 'hihg'])

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^error: --severity "hihg": .* Did you mean high\?\n--sort "epss_dsc": .* Did you mean epss_desc\?\n$/,
    )
  })

  it("prints the service's message about a malformed CVE id", async () => {
    const { stderr } = await visctl(['get', 'CVE-21-1'])

    expect(stderr).toMatch(/^error: the CVE id "CVE-21-1": /)
  })
})

describe('visctl: errors from the service', () => {
  it('exits with 1 and the code NOT_FOUND for an unknown CVE', async () => {
    const { code, stderr } = await visctl(['get', 'CVE-1999-0001'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: .*\(NOT_FOUND\)/)
  })

  it('prints the plan that a call requires', async () => {
    const { stderr } = await visctl(['detail', 'CVE-2021-44228', '--vendor', 'redhat'])

    expect(stderr).toContain('This call requires the enterprise plan.')
  })

  it('exits with 1 and names the setting that contains the URL if the service is unreachable', async () => {
    const { code, stderr } = await visctl(['usage'], { VIS_URL: 'http://127.0.0.1:1' })

    expect(code).toBe(1)
    expect(stderr).toBe(
      'error: 127.0.0.1:1 could not be reached.\nCheck that the service is running and that http://127.0.0.1:1 is right. The url comes from VIS_URL.\n',
    )
  })
})

describe('visctl: help and version', () => {
  it.each([[[]], [['--help']], [['help']]])('lists the commands if the arguments are %j', async (argv) => {
    const { code, stdout, stderr } = await visctl(argv, { VIS_API_KEY: '' })

    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/ {2}get \[options\] \[cve\.\.\.\] +Show one or more CVEs/)
  })

  it.each([[['search', '--help']], [['help', 'search']]])(
    "lists a command's options if the arguments are %j",
    async (argv) => {
      const { code, stdout } = await visctl(argv, { VIS_API_KEY: '' })

      expect(code).toBe(0)
      expect(stdout).toMatch(/--kev +CVEs in KEV\n +--no-kev +CVEs not in KEV\n/)
      expect(stdout).toMatch(
        /--severity <words> +Severity is any of these levels,\s+separated\s+by\s+commas\s+\(choices:\s+"critical",/,
      )
      expect(stdout).toContain('visctl search log4j --severity critical,high')
    },
  )

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))

    expect(await visctl(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('visctl: rate limit of the free plan', () => {
  it('announces a retry and waits until the rate window ends', async () => {
    const limited = await startVisctlSetup({ RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_WINDOW_SECONDS: '2' })
    const free = createTestKey()
    // The limit is one call per window of 2 s. The test sends three calls, because a window may end after the first.
    const ids = ['CVE-2021-44228', 'CVE-2021-44229', 'CVE-2021-44230']
    await limited.given(account('free').withKey(free), ...ids.map((id) => cve(id)))
    const { code, stderr } = await limited.visctl(['get', ...ids], { VIS_API_KEY: free.key })

    expect(code).toBe(0)
    expect(stderr).toMatch(/^The service is busy or limits the rate of calls: trying again in [12] s\.\n/)
  })
})

describe('visctl: width of messages', () => {
  it('wraps messages between words on a terminal, but not in files', async () => {
    const written: string[] = []
    const stderr = { isTTY: true, columns: 40, write: (text: string) => written.push(text) > 0 }
    const env = { VIS_URL: 'http://127.0.0.1:1', VIS_API_KEY: key }
    await main({ argv: ['usage'], env, stdin: Readable.from([]), stdout: stderr, stderr })

    expect(written.join('').split('\n')).toEqual([
      'error: 127.0.0.1:1 could not be reached.',
      'Check that the service is running and',
      'that http://127.0.0.1:1 is right. The',
      'url comes from VIS_URL.',
      '',
    ])
  })
})
