import { describe, expect, it } from 'vitest'
import {
  ADVISORY,
  api,
  CONCLUDED,
  DEBIAN,
  DENIED,
  IN_KEV_ALONE,
  LISTED,
  matchAll,
  matchOne,
  name,
  product,
  RANGE,
  UNREADABLE,
  VAGUE,
  WINDOWS,
} from './match-setup.ts'

describe('POST /api/v1/match', () => {
  it('names the CVE, who reports it, the range, the fixed version, the severity and the priority', async () => {
    const answer = await matchOne({ ref: 'edge', cpe: name('router', '2.3.9') })
    expect(answer).toMatchObject({
      index: 0,
      ref: 'edge',
      interpreted_as: { vendor: 'examplesoft', product: 'router', version: '2.3.9', identified_by: 'cpe' },
      verdict: 'affected',
      matches_total: 1,
      weaker_total: 1,
      unordered_total: 0,
    })
    expect(answer.matches).toEqual([
      {
        id: RANGE,
        cve_id: RANGE,
        aliases: [],
        verdict: 'affected',
        confidence: 'high',
        statement: {
          source: 'nvd',
          range: { from_version: '2.0', before_version: '2.4' },
          text: 'NVD: examplesoft router from 2.0 before 2.4; 2.3.9 is inside.',
        },
        other_statements: [],
        fixed_in: [{ product: 'router', branch: null, version: '2.4', source: 'nvd' }],
        severity: 9.8,
        in_kev: false,
        epss_score: null,
        priority_level: expect.stringMatching(/^P\d$/),
        priority_reason: expect.any(String),
        ssvc_decision: expect.any(String),
      },
    ])
  })

  it('suggests an upgrade to the nearest version without a match, not to the first fixed one', async () => {
    expect((await matchOne(product('router', '2.3.9'))).upgrade_to).toMatchObject({
      version: '2.4.2',
      seen_in: 'range_end',
    })
    expect((await matchOne(product('switch', '1.2'))).upgrade_to).toMatchObject({ version: null, seen_in: null })
    expect(await matchOne(product('router', '2.4.2'))).not.toHaveProperty('upgrade_to')
  })

  it.each([
    ['not_affected', product('switch', '1.4')],
    ['affected', product('switch', '1.3')],
    ['not_covered', product('toaster', '1.0')],
    ['possibly_affected', product('switch')],
    ['possibly_affected', product('agent', 'the newest one')],
    ['possibly_affected', product('router', '2.5')],
    ['possibly_affected', product('scanner', '2008')],
    ['possibly_affected', product('firewall', '10.2.4-foo1')],
    // A listed version without an update stands for all its updates, as in CPE names.
    ['affected', product('switch', '1.3-h3')],
    ['affected', { cpe: name('switch', '1.3', 'h3') }],
    ['affected', product('gateway', '11.1.2-h1')],
    ['not_affected', product('gateway', '11.1.2-h3')],
  ])('returns the verdict %s for %j', async (verdict, component) => {
    expect((await matchOne(component)).verdict).toBe(verdict)
  })

  it('suggests products with a similar name for an unknown product', async () => {
    expect((await matchOne(product('routr', '2.3'))).similar_products).toEqual([
      { vendor: 'examplesoft', product: 'router' },
    ])
  })

  it('counts statements without a version as weaker hits, and lists them with confidence_min=low', async () => {
    const { matches } = await matchOne(product('router', '2.5'), { confidence_min: 'low' })
    expect(matches).toMatchObject([
      {
        id: VAGUE,
        verdict: 'possibly_affected',
        confidence: 'low',
        statement: { range: {}, text: 'NVD: examplesoft router, without a usable version.' },
      },
    ])
  })

  it('lists a CVE whose product only its KEV entry names as a weaker hit, never as affected', async () => {
    const component = { vendor: 'Example Networks', product: 'lonely manager', version: '1.0' }
    expect((await matchOne(component)).verdict).toBe('possibly_affected')
    expect((await matchOne(component, { confidence_min: 'low' })).matches).toMatchObject([
      {
        id: IN_KEV_ALONE,
        verdict: 'possibly_affected',
        confidence: 'low',
        statement: { text: "CISA's KEV catalog: example_networks lonely_manager, without a usable version." },
      },
    ])
  })

  it('looks for the platform among the components on the same host, and names it if it is missing', async () => {
    const [agent, windows, linux] = [
      product('agent', '4.9'),
      { cpe: 'cpe:2.3:o:microsoft:windows:10:*:*:*:*:*:*:*' },
      { cpe: 'cpe:2.3:o:linux:linux_kernel:6.1:*:*:*:*:*:*:*' },
    ]
    expect((await matchAll([agent, windows])).components[0].verdict).toBe('affected')
    for (const answer of [await matchAll([agent, linux]), await matchAll([agent, windows], { same_host: false })]) {
      expect(answer.components[0]).toMatchObject({
        verdict: 'possibly_affected',
        matches: [
          { id: WINDOWS, verdict: 'possibly_affected', requires: [{ vendor: 'microsoft', product: 'windows' }] },
        ],
      })
    }
  })

  it('is less certain if the target software is unknown, and uncertain if it differs', async () => {
    const rate = async (target: string) =>
      (await matchOne({ cpe: name('plugin', '2.0', '*', target) }, { confidence_min: 'low' })).matches[0].confidence
    expect([await rate('wordpress'), await rate('*'), await rate('drupal')]).toEqual(['high', 'medium', 'low'])
  })

  it('says "possibly affected" if the CNA calls the version unaffected, and shows both statements', async () => {
    expect((await matchOne({ cpe: name('proxy', '3.0') })).matches).toMatchObject([
      {
        id: DENIED,
        verdict: 'possibly_affected',
        statement: { source: 'nvd' },
        other_statements: [{ says: 'unaffected' }],
      },
    ])
    expect((await matchOne({ cpe: name('proxy', '1.5') })).matches).toMatchObject([
      {
        verdict: 'affected',
        other_statements: [{ says: 'affected', range: { from_version: '1.0', before_version: '2.0' } }],
      },
    ])
  })

  it('says "possibly affected" for a version that only the service concludes to be affected', async () => {
    const [hit] = (await matchOne({ purl: 'pkg:npm/heron@2.4.0' })).matches
    expect(hit).toMatchObject({
      id: CONCLUDED,
      verdict: 'possibly_affected',
      confidence: 'medium',
      statement: {
        source: 'rules',
        text: 'This service concludes from contradicting sources that npm heron 2.4.0 is affected itself, although a source calls it fixed.',
      },
      other_statements: [{ source: 'ghsa', says: 'not_in_range', range: { before_version: '2.4.0' } }],
      fixed_in: [],
    })
    const record = await api.send('GET', `/api/v1/cve/${CONCLUDED}?include=sources`)
    expect(record.json.data.cve.sources.conclusions.stated_by).toEqual([
      {
        source: 'rules',
        value:
          '2.4.0 is affected: NVD lists it as affected, and the description of NVD names it as affected. GitHub calls it fixed.',
        derived: true,
      },
    ])
    expect((await matchOne({ purl: 'pkg:npm/heron@2.3.0' })).matches).toMatchObject([
      {
        verdict: 'affected',
        confidence: 'high',
        statement: { source: 'ghsa', range: { before_version: '2.4.0' } },
        // A version that other sources call affected is not recommended as a fix.
        fixed_in: [],
      },
    ])
  })

  it('judges a product whose limit is no version as possibly affected, with low confidence', async () => {
    const answer = await matchOne({ cpe: name('office', '2024') }, { confidence_min: 'low' })
    expect(answer.matches).toMatchObject([
      { id: UNREADABLE, confidence: 'low', statement: { source: 'cna:routers', range: {} } },
    ])
    expect((await matchOne({ cpe: name('office', '2024') })).matches).toEqual([])
  })

  it('judges Debian packages by the fixed revision in their release, and finds them by their source package', async () => {
    const judge = async (purl: string) => (await matchOne({ purl })).verdict
    const fixed = 'pkg:deb/debian/tls-library@3.0.14-1~deb12u2?distro=debian-12'
    expect(await judge(fixed)).toBe('not_affected')
    expect(await judge('pkg:deb/debian/tls-library@3.0.14-1~deb12u1?distro=bookworm')).toBe('affected')
    expect(await judge('pkg:deb/debian/tls-library@3.0.14-1~deb12u2?distro=debian-11')).toBe('affected')
    // Nothing is known about Debian 9, so the package must not be reported as unaffected; an unknown release counts as
    // any.
    expect(await judge('pkg:deb/debian/tls-library@9.9-1?distro=debian-9')).toBe('not_covered')
    expect(await judge('pkg:deb/debian/tls-library@2.0-1?distro=somebodys-own')).toBe('affected')
    expect(await judge('pkg:deb/debian/libtls3@3.0.14-1~deb12u2?distro=debian-12&upstream=tls-library')).toBe(
      'not_affected',
    )
    expect((await matchOne({ purl: fixed.replace('u2', 'u1') })).matches).toMatchObject([
      { id: DEBIAN, statement: { source: 'debian' }, fixed_in: [{ version: '3.0.14-1~deb12u2' }] },
    ])
  })

  it('names an advisory without a CVE by its own id, with a level by the same policy', async () => {
    const answer = await matchOne({ purl: 'pkg:npm/lark@1.2.2' })
    expect(answer).toMatchObject({
      verdict: 'affected',
      matches: [{ id: ADVISORY, severity: 9.8, in_kev: false, priority_level: 'P3', ssvc_decision: 'track' }],
      upgrade_to: { version: '1.2.3' },
    })
    expect((await matchOne({ purl: 'pkg:npm/lark@1.2.3' })).verdict).toBe('not_affected')
    expect((await matchOne({ purl: 'pkg:npm/lark@1.2.2' }, { priority_max: 'P2' })).matches_total).toBe(0)
  })

  it('lists suppressed hits separately until the entry expires', async () => {
    const router = product('router', '2.3.9')
    const entry = { id: RANGE.toLowerCase(), reason: 'The web interface is off.' }
    expect(await matchOne(router, { suppress: [{ ...entry, until: '2999-12-31' }] })).toMatchObject({
      verdict: 'possibly_affected',
      matches: [],
      suppressed_total: 1,
      suppressed: [{ id: RANGE, reason: 'The web interface is off.' }],
    })
    const { verdict } = await matchOne(product('switch', '1.3'), { suppress: [{ ...entry, id: LISTED }] })
    expect(verdict).toBe('not_affected')
    expect(await matchOne(router, { suppress: [{ ...entry, until: '2020-01-01' }] })).toMatchObject({
      verdict: 'affected',
      suppressed: [],
    })
  })

  it('counts verdicts, distinct CVEs, levels, and why components are not covered', async () => {
    const components = [
      product('router', '2.3.9'),
      product('router', '2.3.8'),
      product('toaster', '1'),
      { purl: 'pkg:conan/zlib@1.2.0' },
    ]
    const { overview } = await matchAll(components)
    expect(overview).toMatchObject({ components_total: 4, by_verdict: { affected: 2, not_covered: 2 }, hits_total: 1 })
    expect(overview.by_coverage_gap).toMatchObject({ covered: 2, unknown_product: 1, no_source: 1 })
    const levels = Object.values(overview.by_level as Record<string, number>)
    expect(levels.reduce((sum, count) => sum + count)).toBe(1)
  })

  it('lists only matches within priority_max and matches_per_component, and keeps the verdict', async () => {
    const router = product('router', '2.3.9')
    expect(await matchOne(router, { priority_max: 'P0' })).toMatchObject({ verdict: 'affected', matches_total: 0 })
    const { matches_total, matches } = await matchOne(router, { confidence_min: 'low', matches_per_component: 1 })
    expect([matches_total, matches.length, matches[0].id]).toEqual([2, 1, RANGE])
  })
})

const matchSurely = (component: object) => matchAll([component], { confidence_min: 'high' })
const judge = async (purl: string) => (await matchSurely({ purl })).components[0].verdict

describe('POST /api/v1/match: distribution packages', () => {
  it.each([
    ['affected', 'pkg:rpm/redhat/tls-library@3.0.7-26.el9?distro=rhel-9.4'],
    ['not_affected', 'pkg:rpm/redhat/tls-library@3.0.7-27.el9?distro=rhel-9.4'],
    ['affected', 'pkg:rpm/redhat/tls-library@3.0.7-17.el9_2?distro=rhel-9.2'],
    ['not_affected', 'pkg:rpm/redhat/tls-library@3.0.7-18.el9_2?distro=rhel-9.2'],
    ['affected', 'pkg:rpm/redhat/tls-library@3.0.7-26.el9?distro=rhel-9'],
    ['no_known_advisory', 'pkg:rpm/redhat/tls-library@3.0.7-26.el8?distro=rhel-8'],
    ['no_known_advisory', 'pkg:rpm/redhat/ruby-gem@1.0-1.el6?distro=rhel-6'],
    ['possibly_affected', 'pkg:rpm/redhat/ruby-gem@1.0-1.el6'],
    ['possibly_affected', 'pkg:rpm/redhat/kernel@5.14-1.el9?distro=rhel-9'],
    ['possibly_affected', 'pkg:deb/debian/wget@1.0-1?distro=debian-12'],
  ])('are %s: %s', async (verdict, purl) => {
    expect(await judge(purl)).toBe(verdict)
  })

  it("are found by Red Hat's source package", async () => {
    const named = 'pkg:rpm/redhat/tls-library-libs@3.0.7-26.el9?distro=rhel-9.4'
    expect(await judge(named)).toBe('not_covered')
    expect(await judge(`${named}&upstream=tls-library-3.0.7-26.el9.src.rpm`)).toBe('affected')
  })
})
