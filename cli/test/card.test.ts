import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { world } from './world.ts'

const { given, vis } = await world()
await given(
  cve('CVE-2021-44228', {
    published: '2021-12-10T10:15:09Z',
    modified: '2025-04-03T20:53:22Z',
    description: `A logger looks up names that stand in messages. ${'Whoever writes a message can make it load code. '.repeat(5)}`,
    score: 10,
    kev: {
      vendorProject: 'Maker',
      product: 'Logger',
      dateAdded: '2021-12-10',
      dueDate: '2021-12-24',
      knownRansomware: true,
    },
    epss: [0.97, 0.999],
    notices: ['Logger is exploited'],
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
  cve('CVE-2026-0666', {
    description: 'Evil \u001b[31mred\u001b[0m \u009b2J \u202etxet\u202c\u0007 \r\nof a stranger',
    notices: ['\u001b]0;owned\u0007'],
  }),
)

describe('vis get', () => {
  it('shows everything about a CVE on a card', async () => {
    const { code, stdout, stderr } = await vis(['get', 'cve-2021-44228'])

    expect([code, stderr]).toEqual([0, ''])
    for (const words of [
      'CVE-2021-44228   CRITICAL 10.0 ',
      'published 2021-12-10 · modified 2025-04-03',
      'KNOWN TO BE EXPLOITED (CISA KEV)',
      'Maker Logger: A weakness of Thing',
      /Added 2021-12-10, due 2021-12-24 \([\d,]+ days ago\)\./,
      'Used in ransomware campaigns.',
      /CVSS 3\.1 +10\.0 CRITICAL\n +CVSS:3\.1\/AV:N\/AC:L/,
      /Exploited easily, over the network, without an account, without\s+anybody's help\. Lost: all\s+confidentiality\./,
      /EPSS +█{19}░ {2}97\.0 %\n +likely to be exploited within 30 days/,
      'Exploit     evidence of an exploit is public',
      'Fix         a fix is known',
      'Weakness    CWE-79',
      'ATT&CK      T1190 T1059.003',
      'ACSC        2026-08-02 Critical alert: Logger is exploited',
      'Affected    maker thing 0',
      'and 2 more; --json shows all',
      'References (7)',
      'and 2 more',
    ]) {
      expect(stdout).toMatch(words)
    }
  })

  it('is plain where nobody watches or NO_COLOR is set, and coloured where it is forced', async () => {
    const plain = await vis(['get', 'CVE-2021-44228'])
    const forced = await vis(['get', 'CVE-2021-44228'], { FORCE_COLOR: '1' })
    const both = await vis(['get', 'CVE-2021-44228'], { FORCE_COLOR: '1', NO_COLOR: '1' })

    expect(forced.stdout).toContain('\u001b[')
    expect(stripVTControlCharacters(forced.stdout)).toBe(plain.stdout)
    expect(both.stdout).toBe(plain.stdout)
  })

  it.each([50, 80, 100])('fits into %i columns', async (width) => {
    const { stdout } = await vis(['get', 'CVE-2021-44228'], { COLUMNS: String(width) })
    const lines = stdout.split('\n').filter((line) => !/CVSS:|https:/.test(line))

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
  })

  it('shows what is not known as not known', async () => {
    const { stdout } = await vis(['get', 'CVE-2026-0001'])

    expect(stdout).toContain('UNSCORED -')
    expect(stdout).toContain('Nobody has described it yet.')
    expect(stdout).not.toMatch(/KEV|EPSS|CVSS|References|Affected|undefined|null/)
  })

  it('takes several, and gives JSON and CSV', async () => {
    const json = await vis(['get', 'CVE-2021-44228', 'CVE-2026-0001', '--json', '--fields', 'cve_id,severity'])
    const one = await vis(['get', 'CVE-2021-44228', '--json', '--include', 'attack'])
    const csv = await vis(['get', 'CVE-2026-0001', 'CVE-2021-44228', '--csv'])

    expect(JSON.parse(json.stdout)).toEqual([
      { cve_id: 'CVE-2021-44228', severity: 10 },
      { cve_id: 'CVE-2026-0001', severity: null },
    ])
    expect(JSON.parse(one.stdout)).toMatchObject({
      cve_id: 'CVE-2021-44228',
      attack: { techniques: ['T1190', 'T1059.003'] },
    })
    expect(csv.stdout.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      'cve_id',
      'CVE-2026-0001',
      'CVE-2021-44228',
      '',
    ])
  })

  it.each([['card'], ['json', '--json', '--include', 'acsc'], ['csv', '--csv']])(
    'lets nothing of a stranger steer the terminal: %s',
    async (_, ...flags) => {
      const { code, stdout } = await vis(['get', 'CVE-2026-0666', ...flags])

      expect(code).toBe(0)
      expect(stdout.replaceAll('\r\n', '\n')).not.toMatch(/[^\P{Control}\n]|[\u202a-\u202e\u2066-\u2069]/u)
    },
  )

  it('gives JSON that still means the same', async () => {
    const { stdout } = await vis(['get', 'CVE-2026-0666', '--json'])

    expect(JSON.parse(stdout).description).toBe(
      'Evil \u001b[31mred\u001b[0m \u009b2J \u202etxet\u202c\u0007 \r\nof a stranger',
    )
  })
})
