import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { startVisctlSetup } from './visctl-setup.ts'

/** Description with escape sequences, a C1 control character, text-direction marks and a bell. */
const HOSTILE_TEXT = 'Red \u001b[31mtext\u001b[0m \u009b2J \u202etxet\u202c\u0007 \r\nfrom a feed'

const { given, visctl } = await startVisctlSetup()
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
    hasExploit: true,
    hasPatch: true,
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

describe('visctl get: card', () => {
  it('shows all data of a CVE on a card', async () => {
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
      'Fix         a fix is known',
      'Weakness    CWE-79',
      'ATT&CK      T1190 T1059.003',
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

  it('marks a missing score and description on the card, and leaves out sections without data', async () => {
    const { stdout } = await visctl(['get', 'CVE-2026-0001'])

    expect(stdout).toContain('UNSCORED -')
    expect(stdout).toContain('This CVE has no description yet.')
    expect(stdout).not.toMatch(/KEV|EPSS|CVSS|References|Affected|undefined|null/)
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

  it('prints a single CVE as a JSON object with the section that --include names', async () => {
    const { stdout } = await visctl(['get', 'CVE-2021-44228', '--json', '--include', 'attack'])

    expect(JSON.parse(stdout)).toMatchObject({
      cve_id: 'CVE-2021-44228',
      attack: { techniques: ['T1190', 'T1059.003'] },
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

describe('visctl get: control characters in the catalog', () => {
  it.each([['card'], ['JSON', '--json', '--include', 'acsc'], ['CSV', '--csv']])(
    'prints no control character of a description as %s',
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
