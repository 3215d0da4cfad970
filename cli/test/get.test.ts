import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { issueKey, startVisctlSetup } from './visctl-setup.ts'

/** Description with escape sequences, a C1 control character, text-direction marks and a bell. */
const HOSTILE_TEXT = 'Red \u001b[31mtext\u001b[0m \u009b2J \u202etxet\u202c\u0007 \r\nfrom a feed'

const service = await startVisctlSetup()
const { api, given, key, visctl } = service
await given(
  cve('CVE-2021-44228', {
    published: '2021-12-10T10:15:09Z',
    modified: '2025-04-03T20:53:22Z',
    description: `The logger resolves names inside messages. ${'A message from a client can make it load code. '.repeat(5)}`,
    score: 10,
    kev: {
      vendorProject: 'Norwind',
      product: 'Logbook',
      dateAdded: '2021-12-10',
      dueDate: '2021-12-24',
      knownRansomware: true,
    },
    epss: [0.97, 0.999],
    notices: ['Logbook is exploited'],
    techniques: ['T1190', 'T1059.003'],
    euKevSince: '2021-12-13',
    hasExploit: true,
    hasPatch: true,
    fixes: [
      { version: '2.15.0', branch: null, source: 'cna:norwind', rivals: [{ version: '2.15.1', source: 'nvd' }] },
      { version: '2.12.2', branch: '2.12', source: 'nvd', doubted: true },
      { version: '2.15.0-3.el9', vendor: 'AlmaLinux:9', downstream: true },
    ],
    remediations: [{ kind: 'workaround', text: 'Remove the class.', url: null, source: 'redhat', applies_to: [] }],
    cpeCount: 10,
    referenceCount: 7,
  }),
  cve('CVE-2026-0001', {
    score: null,
    isEnriched: false,
    published: null,
    description: null,
    cpeCount: 0,
    referenceCount: 0,
  }),
  cve('CVE-2026-0666', { description: HOSTILE_TEXT, notices: ['\u001b]0;title\u0007'] }),
)

describe('visctl get: sources and configurations', () => {
  it('shows who states each value if --sources is given', async () => {
    const { code, stdout } = await visctl(['get', 'CVE-2021-44228', '--sources'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Stated by +source_tag: nvd \(2025-04-03\)\n +description: nvd \(2025-04-03\)\n/)
    expect(stdout).toMatch(/epss: epss \(\d{4}-\d\d-\d\d\)\n/)
  })

  it('shows the affected combinations of products if --configurations is given', async () => {
    const { code, stdout } = await visctl(['get', 'CVE-2021-44228', '--configurations'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Configurations \(1\)\n {2}one of\n {4}one of\n {6}maker thing 0\n(.+\n)+ {6}and 2 more\n/)
  })

  it('shows the exploit maturity and the strongest evidence if --exploits is given', async () => {
    await given(cve('CVE-2021-0001', { kev: { dateAdded: '2021-12-10' }, repositoryCount: 9 }))
    const { code, stdout } = await visctl(['get', 'CVE-2021-0001', '--exploits'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /Maturity +active, first public 2021-12-10, in KEV since 2021-12-10, 10 items\n +of evidence\n/,
    )
    expect(stdout).toMatch(
      /\n +2021-12-10 kev: CISA: known exploited\n +2026-01-01 repository: someone\/repository-0\n/,
    )
    expect(stdout).toMatch(/\n +and 2 more; visctl exploits shows all\n/)
    expect((await visctl(['get', 'CVE-2021-0001'])).stdout).not.toContain('Maturity')
  })

  it('adds sources and configurations to JSON, even if --fields selects other members', async () => {
    const options = ['--json', '--fields', 'cve_id', '--sources', '--configurations']
    const { stdout } = await visctl(['get', 'CVE-2021-44228', ...options])
    expect(Object.keys(JSON.parse(stdout))).toEqual(['cve_id', 'configurations', 'sources'])
  })

  it('with --json and --include exploits, prints the KEV catalogs that list a CVE', async () => {
    const ANVIL = { vendor: 'Acme', product: 'Anvil' }
    const { stdout } = await visctl(['get', 'CVE-2021-44228', '--json', '--include', 'exploits'])
    expect(JSON.parse(stdout).exploits.kev_catalogs).toEqual([
      { name: 'cisa', ...ANVIL, since: '2021-12-10', removed_at: null, first: true },
      { name: 'eu', ...ANVIL, since: '2021-12-13', removed_at: null, first: false },
    ])
  })

  it('omits sources and configurations by default, and rejects their options together with --csv', async () => {
    expect((await visctl(['get', 'CVE-2021-44228'])).stdout).not.toMatch(/Stated by|Configurations/)
    const { code, stderr } = await visctl(['get', 'CVE-2021-44228', '--csv', '--sources'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--priority, --sources, --configurations and --exploits cannot be used with --csv.'),
    ])
  })
})

describe('visctl get: card', () => {
  it('shows all data about a CVE on a card', async () => {
    const { code, stdout, stderr } = await visctl(['get', 'cve-2021-44228'])

    expect([code, stderr]).toEqual([0, ''])
    for (const words of [
      'CVE-2021-44228   CRITICAL 10.0 ',
      'published 2021-12-10 · modified 2025-04-03',
      'KNOWN TO BE EXPLOITED (CISA KEV)',
      'Norwind Logbook: ',
      /Added 2021-12-10, due 2021-12-24 \([\d,]+ days ago\)\./,
      'Used in ransomware campaigns.',
      /CVSS 3\.1 +10\.0 CRITICAL\n +CVSS:3\.1\/AV:N\/AC:L/,
      /Exploited easily, over the network, without an account, without\s+user\s+interaction\. Lost: all\s+confidentiality\./,
      /EPSS +█{19}░ {2}97\.0 %\n +likely to be exploited within 30 days/,
      'Exploit     evidence of an exploit is public',
      /Priority +P0 by policy \S+, SSVC act\n +This CVE is in CISA's KEV catalog since 2021-12-10(?:.+\n)+ +\d more reasons with --priority\n/,
      /Fix +thing 2\.15\.0 \(cna:norwind; nvd names 2\.15\.1\)\n +thing 2\.12\.2, branch 2\.12 \(nvd; in doubt\)\n/,
      / {12}and 1 of packages or products that contain it; --json --include\s+fixes\s+shows\s+them\n/,
      'Weakness    CWE-79',
      'ATT&CK      T1190 T1059.003 (curated)',
      'ACSC        2026-08-02 Critical alert: Logbook is exploited',
      /Affected {4}\S+ \S+ 0\n/,
      'and 2 more; --json shows all',
      'References (7)',
      'and 2 more',
    ]) {
      expect(stdout).toMatch(words)
    }
  })

  it('prints colors only when FORCE_COLOR is set and NO_COLOR is not', async () => {
    const plain = await visctl(['get', 'CVE-2021-44228'])
    const forced = await visctl(['get', 'CVE-2021-44228'], { FORCE_COLOR: '1' })
    const both = await visctl(['get', 'CVE-2021-44228'], { FORCE_COLOR: '1', NO_COLOR: '1' })

    expect(forced.stdout).toContain('\u001b[')
    expect(stripVTControlCharacters(forced.stdout)).toBe(plain.stdout)
    expect(both.stdout).toBe(plain.stdout)
  })

  it.each([50, 80, 100])('fits the card into %i columns', async (width) => {
    const { stdout } = await visctl(['get', 'CVE-2021-44228'], { COLUMNS: String(width) })
    const lines = stdout.split('\n').filter((line) => !/CVSS:|https:/.test(line))

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
  })

  it('says that no source names a fix, never that no fix exists (decision C16)', async () => {
    const { stdout } = await visctl(['get', 'CVE-2026-0666'])

    expect(stdout).toContain('Fix         no source names a fixed version\n')
  })

  it('shows what publishers advise if no source names a fixed version of the product itself', async () => {
    const product = { vendor: 'redhat', product: 'Red Hat Enterprise Linux', version: '8', package_url: null }
    await given(
      cve('CVE-2026-0667', {
        hasPatch: true,
        fixes: [{ version: '2.4-1', downstream: true }],
        remediations: [
          { kind: 'workaround', text: 'Block port 80.', url: null, source: 'redhat', applies_to: [] },
          { kind: 'none_planned', text: 'Out of support scope', url: null, source: 'redhat', applies_to: [product] },
        ],
      }),
    )
    const { stdout } = await visctl(['get', 'CVE-2026-0667'])

    expect(stdout).toMatch(/Fix +a source names a fix, but no source names its version\n +and 1 of packages/)
    expect(stdout).toMatch(/Advice +Workaround \(redhat\): Block port 80\.\n/)
    expect(stdout).toMatch(/ +No fix planned for Red Hat Enterprise Linux 8 \(redhat\): Out of\s+support scope\n/)
    expect((await visctl(['get', 'CVE-2021-44228'])).stdout).not.toContain('Advice')
  })

  it('marks a missing score and description on the card, and leaves out sections without data', async () => {
    const { stdout } = await visctl(['get', 'CVE-2026-0001'])

    expect(stdout).toContain('UNSCORED -')
    expect(stdout).toContain('This CVE has no description yet.')
    expect(stdout).not.toMatch(/^(?:KEV|EPSS|CVSS|References|Affected)|KNOWN|undefined|null/m)
  })
})

describe('visctl get: JSON and CSV', () => {
  it('prints several CVEs as a JSON array with the selected fields', async () => {
    const { stdout } = await visctl(['get', 'CVE-2021-44228', 'CVE-2026-0001', '--json', '--fields', 'cve_id,severity'])

    expect(JSON.parse(stdout)).toEqual([
      { cve_id: 'CVE-2021-44228', severity: 10 },
      { cve_id: 'CVE-2026-0001', severity: null },
    ])
  })

  it('prints a single CVE as a JSON object with the section named by --include', async () => {
    const { stdout } = await visctl(['get', 'CVE-2021-44228', '--json', '--include', 'attack'])

    expect(JSON.parse(stdout)).toMatchObject({
      cve_id: 'CVE-2021-44228',
      attack: { techniques: ['T1190', 'T1059.003'], mapping: 'curated' },
    })
  })

  it('prints CSV with a header and one row per CVE in the order of the arguments', async () => {
    const { stdout } = await visctl(['get', 'CVE-2026-0001', 'CVE-2021-44228', '--csv'])

    expect(stdout.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      'cve_id',
      'CVE-2026-0001',
      'CVE-2021-44228',
      '',
    ])
  })
})

describe('visctl get: several ids', () => {
  const many = Array.from({ length: 60 }, (_, at) => `CVE-2025-${1001 + at}`)
  const readIds = (json: string) => JSON.parse(json).map(({ cve_id }: { cve_id: string }) => cve_id)

  async function readCreditsUsed(): Promise<number> {
    return (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used
  }

  async function measureCredits(run: () => Promise<unknown>): Promise<number> {
    const before = await readCreditsUsed()
    await run()
    return (await readCreditsUsed()) - before
  }

  beforeAll(() => given(...many.map((id) => cve(id))))

  it('reports an unknown id at the end with exit code 1, and prints the others', async () => {
    const { code, stdout, stderr } = await visctl(['get', 'CVE-2021-44228', 'CVE-1999-0001', 'CVE-2026-0001', '--json'])

    expect([code, stderr]).toEqual([1, 'error: Unknown to the service (1): CVE-1999-0001\n'])
    expect(readIds(stdout)).toEqual(['CVE-2021-44228', 'CVE-2026-0001'])
  })

  it('reads ids from standard input and from a file, and prints each CVE once', async () => {
    const fromInput = await visctl(['get', '--json'], {}, 'CVE-2021-44228\ncve-2021-44228 CVE-2026-0001\n')
    const fromBoth = await visctl(['get', 'CVE-2025-1001', '-', '--json'], {}, '["CVE-2025-1002"]')

    expect(readIds(fromInput.stdout)).toEqual(['CVE-2021-44228', 'CVE-2026-0001'])
    expect(readIds(fromBoth.stdout)).toEqual(['CVE-2025-1001', 'CVE-2025-1002'])
  })

  it.each([
    [7, 35, ''],
    [8, 35, '8 CVEs in 1 batch: up to 36 credits instead of 40.\n'],
    [50, 35, '50 CVEs in 1 batch: up to 36 credits instead of 250.\n'],
    [53, 50, '53 CVEs in 1 batch: up to 51 credits instead of 265.\n'],
    [60, 70, '60 CVEs in 2 batches: up to 72 credits instead of 300.\n'],
  ])(
    'fetches %i CVEs for %i credits in the cheapest way, and states the price of batches in advance',
    async (count, credits, note) => {
      const ids = many.slice(0, count)
      let outcome = { code: -1, stdout: '', stderr: '' }
      const used = await measureCredits(async () => {
        outcome = await visctl(['get', '--json', '--fields', 'cve_id,kev'], {}, ids.join('\n'))
      })

      expect(outcome).toMatchObject({ code: 0, stderr: note })
      expect(readIds(outcome.stdout)).toEqual(ids)
      expect(used).toBe(credits)
    },
  )

  it('prints the same members of a CVE whether fetched in a batch or by a single call', async () => {
    const list = ['CVE-2021-44228', 'CVE-2026-0001', ...many.slice(0, 8)]
    for (const options of [['--json'], ['--json', '--include', 'acsc,attack,enrichment'], ['--csv'], []]) {
      const batch = await visctl(['get', ...options], {}, list.join('\n'))
      const singles = await visctl(['get', ...options], {}, list.slice(0, 2).join('\n'))

      expect(batch.stdout.replace(/\n\]\n$/, '').startsWith(singles.stdout.replace(/\n\]\n$/, ''))).toBe(true)
    }
  })

  it('charges one additional credit for a batch that contains a CVE in KEV', async () => {
    const list = ['CVE-2021-44228', ...many.slice(0, 8)]

    expect(await measureCredits(() => visctl(['get', '--csv'], {}, list.join('\n')))).toBe(36)
    expect(await measureCredits(() => visctl(['get', '--json', '--fields', 'cve_id'], {}, list.join('\n')))).toBe(35)
  })

  it('prints the CVEs already paid for when the credits run out, and exits with 1', async () => {
    const { key: poorKey } = await issueKey(service, 40)
    const { code, stdout, stderr } = await visctl(['get', '--csv'], { VIS_API_KEY: poorKey }, many.join('\n'))

    expect(code).toBe(1)
    expect(stdout.split('\r\n')).toHaveLength(52)
    expect(stderr).toContain('Not enough credits are left')
  })
})

describe('visctl get: control characters in the catalog', () => {
  it.each([['card'], ['JSON', '--json', '--include', 'acsc'], ['CSV', '--csv']])(
    'prints no control characters from a description: %s',
    async (_, ...options) => {
      const { code, stdout } = await visctl(['get', 'CVE-2026-0666', ...options])

      expect(code).toBe(0)
      expect(stdout.replaceAll('\r\n', '\n')).not.toMatch(/[^\P{Control}\n]|[\u202a-\u202e\u2066-\u2069]/u)
    },
  )

  it('prints JSON that parses to the original text with its control characters', async () => {
    const { stdout } = await visctl(['get', 'CVE-2026-0666', '--json'])

    expect(JSON.parse(stdout).description).toBe(HOSTILE_TEXT)
  })
})
