import type { Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { readFacts } from '../../src/text/verdict/facts.ts'
import { writeCopiedVerdict, writeVerdict } from '../../src/text/verdict/sentence.ts'
import { EMPTY_CVE } from '../cve/empty-cve.ts'

type Fix = NonNullable<Cve['fixes']>[number]
type Exploits = NonNullable<Cve['exploits']>

const fix = (product: string, version: string, more: Partial<Fix> = {}): Fix => ({
  vendor: 'Halvorsen',
  product,
  package_url: null,
  branch: null,
  version,
  is_commit: false,
  source: 'cna:halvorsen',
  rivals: [],
  ...more,
})

const exploits = (more: Partial<Exploits> = {}): Exploits => ({
  maturity: 'none',
  verified: null,
  first_public: null,
  kev_added: null,
  counts: {},
  evidence: [],
  kev_catalogs: [],
  ...more,
})

const rated = (vectorString: string): Pick<Cve, 'cvss'> => ({
  // The cast is safe: the verdict reads only these three members of a score.
  cvss: { v3_1: { version: '3.1', baseScore: 9.8, vectorString } as NonNullable<Cve['cvss']['v3_1']> },
})

const CRITICAL = rated('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')
const KEV = { dateAdded: '2024-04-12', knownRansomware: true, product: 'MailGate OS' }
const TOTAL: Pick<Cve, 'sources'> = {
  sources: { technical_impact: { stated_by: [{ source: 'cisa-adp', value: 'total' }] } },
}

const writeFor = (cve: Cve) => writeVerdict(readFacts(cve))
const write = (facts: Partial<Cve>) => writeFor({ ...EMPTY_CVE, exploits: exploits(), ...facts })

describe('verdict sentence: who exploits it', () => {
  it.each<[string, Partial<Cve>, string]>([
    ['CISA lists it with ransomware', { kev: KEV }, 'Attackers exploit it (CISA since 12 Apr 2024, ransomware).'],
    [
      'CISA lists it without ransomware',
      { kev: { ...KEV, knownRansomware: false } },
      'Attackers exploit it (CISA since 12 Apr 2024).',
    ],
    [
      'only the EU lists it, whose day is that of the report',
      {
        exploits: exploits({
          maturity: 'active',
          kev_catalogs: [
            {
              name: 'eu',
              vendor: 'Halvorsen',
              product: 'MailGate',
              since: '2026-02-03',
              removed_at: null,
              first: true,
            },
          ],
        }),
      },
      'Attackers exploit it (EU KEV, report of 3 Feb 2026).',
    ],
    [
      'CISA removed it, and nothing else is known',
      {
        exploits: exploits({
          kev_catalogs: [
            {
              name: 'cisa',
              vendor: 'Halvorsen',
              product: 'MailGate',
              since: '2024-04-12',
              removed_at: '2024-09-01T10:00:00Z',
              first: true,
            },
          ],
        }),
      },
      'No loaded source reports attacks or an exploit. CISA removed it from its catalog of exploited CVEs on 1 Sep 2024.',
    ],
    [
      'a vendor reports attacks',
      {
        exploits: exploits({
          maturity: 'active',
          evidence: [{ kind: 'vendor', source: 'Halvorsen', date: null, maturity: 'active', says: 'exploited' }],
        }),
      },
      'Attacks are reported by Halvorsen.',
    ],
    [
      'there is a Metasploit module',
      {
        exploits: exploits({
          maturity: 'weaponized',
          verified: true,
          evidence: [{ kind: 'metasploit', date: '2026-01-01', maturity: 'weaponized', id: 'exploit/mailgate' }],
        }),
      },
      'No loaded source reports attacks, but ready-made attack code is public (Metasploit).',
    ],
    [
      'repositories that nobody checked are the only evidence',
      { exploits: exploits({ maturity: 'poc', verified: false, counts: { repository: 2 } }) },
      'No loaded source reports attacks, but code that nobody has checked claims to exploit it (2 repositories).',
    ],
    ['nothing is reported', {}, 'No loaded source reports attacks or an exploit.'],
  ])('says so if %s', (_case, facts, sentence) => {
    expect(write(facts)).toBe(`${sentence} What an attacker needs is not known. No loaded source names a fix.`)
  })

  it('says that exploitation is not known if the record has no evidence at all', () => {
    expect(writeFor(EMPTY_CVE)).toMatch(/^It is not known whether attackers exploit it\. /)
  })
})

describe('verdict sentence: what an attacker needs', () => {
  it.each<[string, Partial<Cve>, string]>([
    ['no login, total impact by CISA', { ...CRITICAL, ...TOTAL }, 'No login needed, full control.'],
    [
      'no login, impacts from the vector alone',
      CRITICAL,
      'No login needed; high impact on confidentiality, integrity and availability.',
    ],
    [
      'local access, a login and a user',
      rated('CVSS:3.1/AV:L/AC:L/PR:L/UI:R/S:U/C:H/I:N/A:N'),
      'Needs an ordinary login, local access and the help of a user; high impact on confidentiality.',
    ],
    [
      'no login but a user',
      rated('CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'),
      'No login needed, but the help of a user; limited impact on confidentiality and integrity.',
    ],
    [
      'an administrator in a neighbouring network',
      rated('CVSS:3.1/AV:A/AC:L/PR:H/UI:N/S:U/C:N/I:N/A:N'),
      'Needs an administrator login and access to a neighbouring network; no impact on the vulnerable system is stated.',
    ],
    ['a vector that cannot be read', rated('CVSS:3.1/AV:N'), 'What an attacker needs is not known.'],
  ])('describes %s', (_case, facts, sentence) => {
    expect(write(facts)).toBe(
      `No loaded source reports attacks or an exploit. ${sentence} No loaded source names a fix.`,
    )
  })
})

describe('verdict sentence: what to do', () => {
  it.each<[string, Partial<Cve>, string]>([
    [
      'names every branch of one product',
      { fixes: [fix('MailGate', '11.1.2-h3'), fix('MailGate', '10.2.9-h1'), fix('MailGate', '11.0.4-h1')] },
      'Upgrade MailGate to 10.2.9-h1, 11.0.4-h1 or 11.1.2-h3. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'writes the name of a product as people do, not as CPE does',
      { kev: KEV, fixes: [fix('mailgate_os', '2.0')] },
      'Upgrade MailGate OS to 2.0. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'uses blanks and capitals if no source writes the name for people',
      { fixes: [fix('mail_gate', '2.0')] },
      'Upgrade Mail Gate to 2.0. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'keeps the exact name of a package',
      { fixes: [fix('lodash', '4.17.21', { vendor: 'npm', package_url: 'pkg:npm/lodash' })] },
      'Upgrade lodash to 4.17.21. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'gives no instruction for products that are not the one that CISA lists',
      { kev: KEV, fixes: [fix('stdlib', '1.13.7', { package_url: 'pkg:golang/stdlib' })] },
      'Fixed versions are named for stdlib (1.13.7).',
    ],
    [
      'names the newest branches and counts the others',
      { fixes: ['1.2', '2.2', '3.2', '4.2', '5.2', '6.2'].map((version) => fix('MailGate', version)) },
      'Upgrade MailGate to 3.2, 4.2, 5.2, 6.2 or, on older branches, one of 2 more. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'names two products and counts the others',
      { fixes: ['A1', 'B2', 'C3', 'D4'].map((name) => fix(name, name.slice(1))) },
      'Upgrade A1 to 1; and B2 to 2. Fixed versions of 2 other products are named too. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'does not give an exact count of a list that the record cuts',
      { fixes: ['A1', 'B2', 'C3'].map((name) => fix(name, name.slice(1))), fixes_omitted: 40 },
      'Upgrade A1 to 1; and B2 to 2. Fixed versions of more than 1 other product are named too. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'does not repeat the same versions under another name of the product',
      { fixes: [fix('MailGate', '2.0'), fix('mailgate-core', '2.0', { package_url: 'pkg:npm/mailgate-core' })] },
      'Upgrade MailGate to 2.0. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'says that it read the version from a text',
      { fixes: [fix('MailGate', '2.0', { derived: true })] },
      'Upgrade MailGate to 2.0 (read from a text). Other CVEs are not considered here; check the version for them.',
    ],
    [
      'prefers a version that no source contradicts',
      { fixes: [fix('MailGate', '2.15', { doubted: true }), fix('MailGate', '2.16')] },
      'Upgrade MailGate to 2.16. Other CVEs are not considered here; check the version for them.',
    ],
    [
      'does not recommend a version that other sources contradict',
      { fixes: [fix('MailGate', '2.15', { doubted: true })] },
      'A source names 2.15 as fixed, but other sources contradict.',
    ],
    [
      'never presents the fix of a distribution as that of the product',
      { fixes: [fix('mailgate', '2.0-1+deb12u1', { vendor: 'Debian', downstream: true })] },
      'Fixed versions are named for 1 package that may contain it, but not for the product itself.',
    ],
    [
      'does not call a commit a version',
      { fixes: [fix('MailGate', 'a'.repeat(40), { is_commit: true })] },
      'A commit fixes it; no loaded source names a fixed version.',
    ],
    [
      'says that a fix without a version exists',
      // The cast is safe: the verdict reads only this member of the enrichment.
      { enrichment: { patch_available: true } as NonNullable<Cve['enrichment']> },
      'Advisory only: a source says that a fix exists, but names no version.',
    ],
    ['says that no fix is named', {}, 'No loaded source names a fix.'],
    [
      'names who describes a workaround',
      { remediations: [{ kind: 'workaround', text: null, url: null, source: 'redhat', applies_to: [] }] },
      'No loaded source names a fix. Red Hat describes a workaround.',
    ],
    [
      'names who plans no fix',
      { remediations: [{ kind: 'none_planned', text: null, url: null, source: 'redhat', applies_to: [] }] },
      'No loaded source names a fix. Red Hat plans no fix for some products.',
    ],
  ])('%s', (_case, facts, sentence) => {
    expect(write(facts).split('What an attacker needs is not known. ').at(-1)).toBe(sentence)
  })
})

describe('verdict sentence: special states', () => {
  it('says only that a rejected id is not to be used, whatever else the record has', () => {
    const sources: Cve['sources'] = { status: { stated_by: [{ source: 'nvd', value: 'Rejected' }] } }
    expect(write({ status: 'Rejected', sources, ...CRITICAL, fixes: [fix('MailGate', '2.0')] })).toBe(
      'This id was rejected by NVD and does not stand for a vulnerability. Do not use it.',
    )
    expect(write({ status: 'REJECTED' })).toBe(
      'This id was rejected and does not stand for a vulnerability. Do not use it.',
    )
  })

  it('says what an unrated CVE waits for, and never that nothing was reported', () => {
    const priority = {
      level: 'unrated',
      policy_version: '2026-11',
      ssvc: null,
      deadline: null,
      reasons: ['Nothing is known yet.'],
      awaiting: ['cvss', 'epss', 'ssvc'],
      since: '2026-08-20',
    } as const
    expect(write({ priority })).toBe(
      'Not assessed yet, waiting for a CVSS score, an EPSS score or an SSVC assessment since 20 Aug 2026. What an attacker needs is not known. No loaded source names a fix.',
    )
    expect(write({ priority: { ...priority, since: null } })).toMatch(/^Not assessed yet, waiting for .* assessment\. /)
  })

  it('begins with the dispute', () => {
    expect(write({ tags: ['disputed'] })).toMatch(
      /^It is disputed whether this is a vulnerability\. No loaded source reports/,
    )
  })

  it('names level, product and day in the copied text, also without a fix', () => {
    const facts = readFacts({
      ...EMPTY_CVE,
      exploits: exploits(),
      priority: { level: 'P0', policy_version: '2026-11', ssvc: null, deadline: null, reasons: [] },
      cpe: [{ vulnerable: true, criteria: 'cpe:2.3:a:halvorsen:mailgate:*:*:*:*:*:*:*:*' }],
    })
    const text = writeCopiedVerdict(facts, { address: 'https://vis.example/x', day: '2026-08-22' })
    expect(text).toMatch(/^P0, act now\. Halvorsen Mailgate: .* As of 22 Aug 2026\.\nCVE-2026-12345 https:/)
  })

  it('appends the id and the address to the copied text', () => {
    expect(
      writeCopiedVerdict(readFacts({ ...EMPTY_CVE, exploits: exploits() }), {
        address: 'https://vis.example/console/cves/CVE-2026-12345',
        day: '2026-08-22',
      }),
    ).toBe(
      'No loaded source reports attacks or an exploit. What an attacker needs is not known. No loaded source names a fix. As of 22 Aug 2026.\nCVE-2026-12345 https://vis.example/console/cves/CVE-2026-12345',
    )
  })
})
