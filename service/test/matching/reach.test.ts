import { describe, expect, it } from 'vitest'
import { readComponent } from '../../src/domain/component/component.ts'
import { parsePurl } from '../../src/domain/purl/parse-purl.ts'
import { describeReason } from '../../src/matching/answer/describe.ts'
import { type Hit, judgeSubjects, prepareComponent } from '../../src/matching/judge/judge.ts'
import { findUpgrade } from '../../src/matching/judge/upgrade.ts'
import { prepareRows } from '../../src/matching/versions/product-rows.ts'
import type { StoredRow } from '../../src/record/affected-row.ts'

const ROW: StoredRow = {
  subjectKey: '1',
  vendor: 'deb/debian',
  product: 'lark',
  isAffected: true,
  isVague: false,
  isLowIncluded: false,
  isHighIncluded: false,
  scheme: 'deb',
  source: 'debian',
  target: 'bookworm',
  edition: null,
  versions: null,
  low: null,
  high: null,
  fixed: null,
  condition: null,
}

function prepare(purl: string, rows: readonly StoredRow[]) {
  const parsed = parsePurl(purl)
  if ('error' in parsed) throw new Error(parsed.error)
  return prepareComponent({
    component: readComponent({ purl: parsed }),
    product: prepareRows(rows),
    inventory: new Map(),
  })
}

function judge(purl: string, ...rows: readonly StoredRow[]) {
  const judged = prepare(purl, rows)
  const [found] = judgeSubjects(judged)
  return typeof found === 'object' ? { ...found, text: describeReason(found, judged.component) } : found
}

function upgrade(purl: string, ...rows: readonly StoredRow[]): string | null {
  const judged = prepare(purl, rows)
  const hits = [...judgeSubjects(judged)].filter((found): found is Hit => typeof found === 'object')
  const steps = findUpgrade(judged, hits, () => true)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value.version
  }
}

describe('A statement of Debian without a fix', () => {
  const open: StoredRow = { ...ROW, known: '1.2-3+deb12u8' }
  const lark = (version: string) => `pkg:deb/debian/lark@${encodeURIComponent(version)}?distro=debian-12`

  it('reaches the newest version that the tracker knew', () => {
    expect(judge(lark('1.2-3+deb12u7'), open)).toMatchObject({ verdict: 'affected', confidence: 'high' })
    expect(judge(lark('1.2-3+deb12u8'), open)).toMatchObject({ verdict: 'affected', confidence: 'high' })
  })

  it('is uncertain about a newer version, and says up to which version it was made', () => {
    expect(judge(lark('1.2-3+deb12u9'), open)).toMatchObject({
      verdict: 'possibly_affected',
      confidence: 'medium',
      text: 'Debian: deb/debian lark is open in 1.2-3+deb12u8, the newest version that it then knew in bookworm; 1.2-3+deb12u9 is newer.',
    })
  })

  it('is uncertain about a version that cannot be compared with those that it knew', () => {
    expect(judge(lark('unreadable'), open)).toMatchObject({ verdict: 'possibly_affected' })
  })

  it('has a lower confidence if Debian calls the flaw unimportant, whatever Debian decided about an advisory', () => {
    expect(judge(lark('1.2-3'), { ...open, urgency: 'unimportant', state: 'ignored' })).toMatchObject({
      verdict: 'affected',
      confidence: 'medium',
      text: 'Debian: deb/debian lark, all versions; 1.2-3 is inside. Debian has decided to leave it unfixed. Debian calls the urgency "unimportant".',
    })
    expect(judge(lark('1.2-3+deb12u9'), { ...open, urgency: 'unimportant' })).toMatchObject({ confidence: 'low' })
    expect(judge(lark('1.2-3'), { ...open, state: 'postponed' })).toMatchObject({ confidence: 'high' })
  })
})

describe("A third party's build of a distribution's package", () => {
  const fixed: StoredRow = { ...ROW, high: '1.9-1', fixed: '1.9-1' }

  it.each([
    'pkg:deb/debian/lark@1.2-1nodesource1?distro=debian-12',
    'pkg:deb/debian/lark@1.2-1~bpo12%2B1?distro=debian-12',
    'pkg:deb/debian/lark@1.2-1~bookworm?distro=debian-12',
    'pkg:deb/debian/lark@1.2-1ubuntu1?distro=debian-12',
    'pkg:deb/debian/lark@1.2-1?distro=ubuntu-22.04',
    'pkg:deb/debian/lark@1.2-1?vendor=Lark%20Inc',
  ])('is neither affected nor unaffected by what the distribution says: %s', (purl) => {
    expect(judge(purl, fixed)).toBe('unordered')
  })

  it.each([
    'pkg:deb/debian/lark@1.2%2Bdfsg-1%2Bdeb12u1?distro=debian-12',
    'pkg:deb/debian/lark@1.2-1~deb12u1%2Bb2?distro=bookworm',
    'pkg:deb/debian/lark@1.2-1?vendor=Debian',
  ])("differs from the distribution's own build: %s", (purl) => {
    expect(judge(purl, fixed)).toMatchObject({ verdict: 'affected' })
  })
})

describe('A fix in a stream of an RPM module', () => {
  const rpm: StoredRow = { ...ROW, vendor: 'rpm/almalinux', scheme: 'rpm', source: 'osv:almalinux', target: '8' }
  const fixedIn = (version: string, streams: readonly string[] | null = null): StoredRow => {
    return { ...rpm, high: version, fixed: version, streams }
  }
  const [of4, of5] = [
    fixedIn('4.9-1.module_el8.9.0+4+a', ['birds:4']),
    fixedIn('5.9-1.module_el8.9.0+5+a', ['birds:5']),
  ]
  const lark = (version: string, more = '') => `pkg:rpm/almalinux/lark@${encodeURIComponent(version)}?distro=8${more}`

  it('decides for packages of the same stream only', () => {
    const in4 = (version: string) => judge(lark(version, '&rpmmod=birds:4:80900:a'), of4, of5)
    expect(in4('4.8-1.module_el8.9.0+3+a')).toMatchObject({ verdict: 'affected', fixes: [{ version: of4.fixed }] })
    expect(in4('4.9-1.module_el8.9.0+4+a')).toBeUndefined()
    expect(judge(lark('4.8-1', '&modularitylabel=birds:5:80900:a'), of4)).toBe('unordered')
    expect(judge('pkg:rpmmod/almalinux/birds:5/lark@5.8-1?distro=8', of4, of5)).toMatchObject({
      verdict: 'affected',
      fixes: [{ version: of5.fixed }],
    })
  })

  it('is uncertain for a package whose stream is not known, and is no version to upgrade to', () => {
    const [ofRed, ofBlue] = [
      fixedIn('4.9-1.module_el8.9.0+4+a', ['birds:red']),
      fixedIn('5.9-1.module_el8.9.0+5+a', ['birds:blue']),
    ]
    const unknown = lark('4.9-1.module_el8.10.0+6+a')
    expect(judge(unknown, ofRed, ofBlue)).toMatchObject({
      verdict: 'possibly_affected',
      confidence: 'medium',
      text: 'AlmaLinux: rpm/almalinux lark of birds:blue before 5.9-1.module_el8.9.0+5+a; 4.9-1.module_el8.10.0+6+a is inside, but it is not known whether it is of this module stream.',
    })
    expect(judge(lark('4.8'), of5)).toMatchObject({ verdict: 'possibly_affected' })
    expect(judge(lark('4.8-1', '&rpmmod=birds:4'), fixedIn('4.9-1.module_el8.9.0+4+a'))).toMatchObject({
      verdict: 'possibly_affected',
    })
    expect(upgrade(unknown, ofRed, ofBlue)).toBeNull()
    expect(upgrade(lark('4.8-1', '&rpmmod=birds:4'), of4, of5)).toBe(of4.fixed)
  })

  it('decides for a package whose version proves the stream, with less confidence', () => {
    const old = lark('1:4.8-1.module_el8.9.0+3+a')
    expect(judge(old, fixedIn('1:4.9-1.module_el8.9.0+4+a', ['birds:4']), of5)).toMatchObject({
      verdict: 'affected',
      confidence: 'medium',
      fixes: [{ version: '1:4.9-1.module_el8.9.0+4+a' }],
    })
    expect(judge(lark('4.9-1.module_el8.10.0+6+a'), of4, of5)).toBeUndefined()
    expect(upgrade(lark('4.8-1.module_el8.9.0+3+a'), of4, of5)).toBe(of4.fixed)
  })

  it.each([
    [
      'a version of the package does not begin with its stream',
      '4.8',
      [fixedIn('2.1-1.module_el8.9.0+4+a', ['birds:3'])],
    ],
    ['a stream is not a number', '4.8', [fixedIn('4.9-2.module_el8.9.0+4+a', ['birds:red'])]],
    ['an unaffected stream is not a number', '4.8', [{ ...rpm, isAffected: false, streams: ['birds:red'] }]],
    ['a version is of two streams', '4.8', [fixedIn('4.9-2.module_el8.9.0+4+a', ['birds:4', 'bees:4'])]],
    ['two modules have a stream with the number', '4.8', [fixedIn('4.9-2.module_el8.9.0+4+a', ['bees:4'])]],
    ['an erratum names no stream', '4.8', [fixedIn('4.9-2.module_el8.9.0+4+a')]],
    ['the version fits two streams', '4.8', [fixedIn('4.8-9.module_el8.9.0+4+a', ['birds:4.8'])]],
    ['the version fits no stream', '3.9', []],
    ['the version only begins with the same digits', '40.1', []],
    ['the stream is of another release', '6.1', [{ ...fixedIn('6.2-1.module_el9.3.0+4+a', ['birds:6']), target: '9' }]],
    ['no fixed version shows the stream', '6.1', [{ ...rpm, isAffected: false, streams: ['birds:6'] }]],
  ])('is uncertain for a package with a version only if %s', (_, version, more) => {
    expect(
      judge(
        lark(`${version}-1.module_el8.9.0+3+a`),
        fixedIn('50.1-1.module_el8.9.0+4+a', ['birds:50']),
        of4,
        of5,
        ...more,
      ),
    ).toMatchObject({
      verdict: 'possibly_affected',
    })
  })

  it('says nothing about a package outside modules, and the other way round', () => {
    const outside = fixedIn('6.0-1.el8')
    expect(judge(lark('4.8-1.el8_4'), of4, of5)).toBe('unordered')
    expect(judge(lark('4.8-1.el8_4'), of4, outside)).toMatchObject({ verdict: 'affected', row: { fixed: '6.0-1.el8' } })
    expect(judge(lark('4.8-1', '&rpmmod=birds:3'), of4, outside)).toBe('unordered')
  })

  it('does not make a package safe if another stream is unaffected', () => {
    const safe: StoredRow = { ...rpm, isAffected: false, streams: ['birds:5'], source: 'redhat' }
    expect(judge(lark('4.8-1', '&rpmmod=birds:4'), of4, safe)).toMatchObject({ verdict: 'affected', others: [] })
    const undecided: StoredRow = { ...rpm, isVague: true, source: 'redhat' }
    const excluding = { ...safe, low: '4.0', isLowIncluded: true }
    expect(judge(lark('4.8'), undecided, excluding)).toMatchObject({ verdict: 'possibly_affected' })
  })
})

describe('A fix for one minor release of a distribution', () => {
  const rpm: StoredRow = { ...ROW, vendor: 'rpm/almalinux', scheme: 'rpm', source: 'osv:almalinux', target: '9' }
  const fixedIn = (version: string): StoredRow => ({ ...rpm, high: version, fixed: version })
  const [of2, of3, ofMajor] = [fixedIn('1.2-23.el9_2.4'), fixedIn('1.2-26.el9_3.2'), fixedIn('1.2-30.el9')]
  const lark = (version: string) => `pkg:rpm/almalinux/lark@${encodeURIComponent(version)}?distro=almalinux-9.2`

  it('decides for the packages built for that release, in spite of a higher fixed version for a later one', () => {
    expect(judge(lark('1.2-23.el9_2.4'), of2, of3, ofMajor)).toBeUndefined()
    expect(judge(lark('1.2-23.el9_2.2'), of2, of3)).toMatchObject({
      verdict: 'affected',
      fixes: [{ version: of2.fixed }],
    })
    expect(judge(lark('1.2-26.el9_3.1'), of2, of3)).toMatchObject({
      verdict: 'affected',
      fixes: [{ version: of3.fixed }],
    })
  })

  it('does not decide for packages built for another release or for the major release', () => {
    expect(judge(lark('1.2-23.el9_1.9'), of2, of3)).toMatchObject({ verdict: 'affected' })
    expect(judge(lark('1.2-24.el9'), of2, of3, ofMajor)).toMatchObject({ verdict: 'affected' })
    expect(judge(lark('1.2-26.el9'), of3, fixedIn('1.2-26.el9'))).toMatchObject({ verdict: 'affected' })
    expect(judge(lark('1.2-24.el9_2'), of3)).toMatchObject({ verdict: 'affected' })
  })

  it('is the highest one if a release has several', () => {
    expect(judge(lark('1.2-23.el9_2.4'), of2, fixedIn('1.2-23.el9_2.6'), of3)).toMatchObject({
      verdict: 'affected',
      fixes: [{ version: '1.2-23.el9_2.6' }],
    })
  })

  it('does not end what another source says, or the same source without a fixed version', () => {
    const third: StoredRow = { ...of3, source: 'redhat' }
    expect(judge(lark('1.2-23.el9_2.4'), of2, third)).toMatchObject({ verdict: 'affected', row: { source: 'redhat' } })
    expect(judge(lark('1.2-23.el9_2.4'), of2, rpm)).toMatchObject({ verdict: 'affected', fixes: [] })
  })

  it('does not decide in a module, whose packages keep the release of their last build', () => {
    const inModule = (version: string) => ({ ...fixedIn(version), streams: ['birds:1'] })
    const [early, late] = [inModule('1.2-1.module_el8.4.0+25+b'), inModule('1.2-1.module_el8.5.0+33+8')]
    expect(judge(`${lark('1.2-1.module_el8.4.0+25+b')}&rpmmod=birds:1`, early, late)).toMatchObject({
      verdict: 'affected',
    })
  })
})

describe('A statement of Red Hat without a fix', () => {
  const row: StoredRow = { ...ROW, vendor: 'rpm/redhat', scheme: 'rpm', source: 'redhat', target: 'enterprise_linux:9' }
  const lark = 'pkg:rpm/redhat/lark@1.2-3.el9?distro=rhel-9'

  it('names its day and what Red Hat does, with less confidence while a fix may come', () => {
    expect(judge(lark, { ...row, state: 'will_not_fix', statedOn: '2026-08-01' })).toMatchObject({
      verdict: 'affected',
      confidence: 'high',
      text: 'Red Hat, 2026-08-01: rpm/redhat lark, all versions; 1.2-3.el9 is inside. Red Hat will not fix it.',
    })
    expect(judge(lark, { ...row, state: 'fix_pending' })).toMatchObject({ verdict: 'affected', confidence: 'medium' })
    expect(judge(lark, { ...row, state: 'under_investigation', isVague: true })).toMatchObject({
      verdict: 'possibly_affected',
      confidence: 'low',
      text: 'Red Hat: rpm/redhat lark, without a usable version. Red Hat is still investigating.',
    })
  })
})
