import { describe, expect, it } from 'vitest'
import { TECHNIQUE_RULES } from '../../../src/catalog/render/derive-techniques.ts'
import { findTechniques } from '../../../src/catalog/render/techniques.ts'
import { chosen, rating, referenceData, resolved, sourceData } from '../records.ts'

const REFERENCE_DATA = referenceData({
  activeTechniques: new Set([...TECHNIQUE_RULES.map(({ technique }) => technique), 'T1059.003']),
})

const mappings = (...techniques: string[]) => techniques.map((techniqueId) => ({ techniqueId }))
const weaknesses = (...numbers: number[]) => numbers.map((number) => ({ id: `CWE-${number}`, by: ['nvd'] }))

interface Vulnerability {
  readonly vector?: string
  readonly cwe?: readonly number[]
  readonly text?: string
  readonly status?: string
}

function buildCve({ vector, cwe = [], text = 'A flaw.', status = 'Analyzed' }: Vulnerability) {
  return resolved({
    score: vector === undefined ? null : chosen(rating(vector)),
    weaknesses: weaknesses(...cwe),
    description: chosen(text),
    status: chosen(status),
  })
}

function find(curated: string[], vulnerability: Vulnerability = {}) {
  return findTechniques(sourceData({ mappings: mappings(...curated) }), buildCve(vulnerability), REFERENCE_DATA)
}

const SERVICE = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

describe('Curated ATT&CK techniques', () => {
  it('are listed sorted and without duplicates', () => {
    expect(find(['T1190', 'T1059.003', 'T1059', 'T1190'])).toEqual({
      ids: ['T1059', 'T1059.003', 'T1190'],
      mapping: 'curated',
    })
  })

  it('are not mixed with derived techniques', () => {
    expect(find(['T1059'], { vector: SERVICE })).toEqual({ ids: ['T1059'], mapping: 'curated' })
  })

  it('are replaced by derived techniques if ATT&CK has withdrawn all of them', () => {
    expect(find(['T9999'], { vector: SERVICE })).toEqual({ ids: ['T1190'], mapping: 'derived' })
    expect(find(['T9999'])).toEqual({ ids: [], mapping: null })
  })
})

describe('Derived ATT&CK techniques', () => {
  const derived: readonly [string, Vulnerability, readonly string[]][] = [
    ['an exposed service', { vector: SERVICE }, ['T1190']],
    ['a certificate that is not checked', { vector: SERVICE, cwe: [295] }, []],
    ['an attacker between two systems', { vector: SERVICE, text: 'Man-in-the-middle attackers can read data.' }, []],
    [
      'an exposed service in CVSS 4.0',
      { vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' },
      ['T1190'],
    ],
    [
      'a service that requires an account',
      { vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H' },
      ['T1078', 'T1190'],
    ],
    ['a service in CVSS 2.0', { vector: 'AV:N/AC:L/Au:S/C:P/I:P/A:P' }, ['T1078', 'T1190']],
    ['local privilege escalation', { vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H' }, ['T1068', 'T1078']],
    ['local disclosure of data', { vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N' }, ['T1005', 'T1078']],
    [
      'local disclosure of data that gives privileges',
      { vector: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', text: 'It may enable escalation of privilege.' },
      ['T1005', 'T1068'],
    ],
    [
      'a service whose vector requires an account that the description denies',
      {
        vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
        text: 'The router allows an unauthenticated, remote attacker to change its settings.',
      },
      ['T1190'],
    ],
    [
      'a service that is open to everyone only together with another flaw',
      {
        vector: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
        text: 'An unauthenticated attacker can change settings by leveraging another flaw.',
      },
      ['T1078', 'T1190'],
    ],
    [
      'a takeover whose vector names only availability (CVE-2017-10271)',
      {
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
        text: 'Successful attacks can result in takeover of the router.',
      },
      ['T1190'],
    ],
    ['command injection', { vector: SERVICE, cwe: [78] }, ['T1059', 'T1190']],
    ['SQL injection', { vector: SERVICE, cwe: [89] }, ['T1059', 'T1190']],
    ['upload of dangerous files', { vector: SERVICE, cwe: [434] }, ['T1190', 'T1505.003']],
    [
      'execution of code in the description',
      { vector: SERVICE, text: 'A packet executes arbitrary code.' },
      ['T1059', 'T1190'],
    ],
    ['disclosure of data', { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }, ['T1005', 'T1190']],
    [
      'denial of service',
      { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', text: 'Or execute code.' },
      ['T1499'],
    ],
    [
      'cross-site scripting',
      { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', cwe: [79] },
      ['T1059', 'T1204.001'],
    ],
    ['user interaction alone, over a network', { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N' }, []],
    [
      'a crafted file, over a network',
      { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N', text: 'A crafted image file changes settings.' },
      ['T1204.002'],
    ],
    ['request forgery', { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N', cwe: [352] }, ['T1204.001']],
    [
      'memory corruption by a web page',
      { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', cwe: [416], text: 'A web page frees memory twice.' },
      ['T1189', 'T1203'],
    ],
    [
      'memory corruption by a file',
      { vector: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', cwe: [787] },
      ['T1203', 'T1204.002'],
    ],
    ...[
      'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N',
      'CVSS:4.0/AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
    ].map((vector): (typeof derived)[number] => [
      `memory that a file only discloses, with ${vector}`,
      { vector, cwe: [125] },
      ['T1005', 'T1204.002'],
    ]),
    [
      'a user who opens a file without execution of code',
      { vector: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:L/I:L/A:N' },
      ['T1204.002'],
    ],
    [
      'a crafted file in CVSS 2.0',
      { vector: 'AV:N/AC:M/Au:N/C:P/I:P/A:P', text: 'A crafted image file.' },
      ['T1204.002'],
    ],
    [
      'a crafted file for a server in CVSS 2.0',
      { vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', cwe: [22], text: 'A crafted archive file.' },
      ['T1190'],
    ],
    [
      'a file that a user must open, although the weakness is a server weakness',
      { vector: 'AV:N/AC:M/Au:N/C:P/I:P/A:P', cwe: [94], text: 'User-assisted attackers use a project name.' },
      ['T1059', 'T1203', 'T1204.002'],
    ],
    ['an adjacent network', { vector: 'CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }, []],
    ['remote attackers without a vector', { text: 'Remote attackers can run the device.' }, ['T1190']],
    ['local users without a vector', { text: 'Local users can gain root privileges.' }, ['T1068']],
    [
      'disclosure of files without a vector',
      { text: 'Remote attackers can read arbitrary files.' },
      ['T1005', 'T1190'],
    ],
    [
      'local privilege escalation with user interaction',
      {
        vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:R/S:U/C:H/I:H/A:H',
        cwe: [416],
        text: 'A flaw lets an attacker elevate privileges locally.',
      },
      ['T1068', 'T1078'],
    ],
    [
      'a crafted file that gives privileges to a local attacker',
      {
        vector: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
        text: 'A crafted project file gives elevated privileges to a local user.',
      },
      ['T1204.002'],
    ],
    [
      'privilege escalation in a product whose name contains the word remote',
      { text: 'Elevation of privileges in the Remote Access Connection Manager: an attacker can gain privileges.' },
      ['T1068'],
    ],
    ['remote code execution as a title', { text: 'Remote Code Execution in a router.' }, ['T1059', 'T1190']],
    ['access to files without a vector', { text: 'Remote attackers access arbitrary files.' }, ['T1005', 'T1190']],
    ['a kernel that accesses freed memory', { cwe: [416], text: 'The kernel accesses freed memory.' }, []],
    ['a path traversal without a vector', { cwe: [22] }, ['T1190']],
    [
      'cross-site scripting without a CWE',
      {
        vector: 'AV:N/AC:M/Au:N/C:N/I:P/A:N',
        text: 'Cross-site scripting (XSS) in a router lets remote attackers inject arbitrary web script or HTML.',
      },
      ['T1059', 'T1204.001'],
    ],
    [
      'request forgery without a CWE',
      { vector: 'AV:N/AC:M/Au:N/C:P/I:P/A:P', text: 'Cross-site request forgery (CSRF) in a router.' },
      ['T1204.001'],
    ],
    ['an open redirect without a CWE and a vector', { text: 'Multiple open redirects in a router.' }, ['T1204.001']],
    [
      'a server whose flaw has cross-site scripting as a consequence, with the CWE of another kind',
      { vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', cwe: [89], text: 'SQL injection, which also allows XSS.' },
      ['T1059', 'T1190'],
    ],
    [
      'a vendor that denies code execution',
      { vector: SERVICE, text: 'The vendor says that this is a crash and not code execution.' },
      ['T1190'],
    ],
    [
      'a flaw that does not allow an attacker to execute code',
      { vector: SERVICE, text: 'The flaw would not allow an attacker to execute code, but to read a name.' },
      ['T1190'],
    ],
    [
      'a file that discloses data and helps other vulnerabilities to execute code (CVE-2023-42084)',
      {
        vector: 'CVSS:3.0/AV:L/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N',
        cwe: [125],
        text: 'A file discloses data. In conjunction with other vulnerabilities, it helps to execute arbitrary code.',
      },
      ['T1005', 'T1204.002'],
    ],
    [
      'a service that helps another bug to execute code',
      { vector: SERVICE, text: 'Combined with another memory bug, this could lead to code execution. It is old.' },
      ['T1190'],
    ],
    [
      'execution of code by the vulnerability itself, which can also be combined with others',
      {
        vector: SERVICE,
        text: 'Attackers can execute arbitrary code. It can be chained with other vulnerabilities to execute code as root.',
      },
      ['T1059', 'T1190'],
    ],
    [
      'execution of code that is denied for one product only',
      { vector: SERVICE, text: 'An attacker can execute arbitrary code. There is no code execution on routers.' },
      ['T1059', 'T1190'],
    ],
  ]
  it.each(derived)('are found for %s', (_, vulnerability, techniques) => {
    expect(find([], vulnerability)).toEqual({ ids: techniques, mapping: techniques.length > 0 ? 'derived' : null })
  })

  it('are absent for a CVE without a vector, a weakness or revealing words', () => {
    expect(find([])).toEqual({ ids: [], mapping: null })
  })

  it('do not exist for a rejected CVE', () => {
    expect(find([], { text: 'Remote attackers can run the device.', status: 'Rejected' }).ids).toEqual([])
  })

  it('leave out techniques that ATT&CK has withdrawn', () => {
    const withoutT1190 = referenceData({ activeTechniques: new Set(['T1059']) })
    const found = findTechniques(sourceData(), buildCve({ vector: SERVICE, cwe: [78] }), withoutT1190)
    expect(found).toEqual({ ids: ['T1059'], mapping: 'derived' })
  })
})

describe('Rules for derived techniques', () => {
  it('name each technique once', () => {
    const techniques = TECHNIQUE_RULES.map(({ technique }) => technique)
    expect(techniques).toEqual([...new Set(techniques)])
  })
})
