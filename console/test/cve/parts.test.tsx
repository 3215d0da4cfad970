// Renders parts of the CVE page to HTML, as the browser shows them before anybody presses a button.
import { renderToStaticMarkup } from 'react-dom/server'
import type { Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { VerdictCard } from '../../src/kit/verdict/verdict-card.tsx'
import { ConfigurationsPanel } from '../../src/pages/cve/panels/configurations-panel.tsx'
import { DescriptionPanel } from '../../src/pages/cve/panels/description-panel.tsx'
import { EvidencePanel } from '../../src/pages/cve/panels/evidence-panel.tsx'
import { FixesPanel, FixesTable } from '../../src/pages/cve/panels/fixes-panel.tsx'
import { KevPanel } from '../../src/pages/cve/panels/kev-panel.tsx'
import { ProductsPanel } from '../../src/pages/cve/panels/products-panel.tsx'
import { ReferencesPanel } from '../../src/pages/cve/panels/references-panel.tsx'
import { ScorePanel } from '../../src/pages/cve/panels/score-panel.tsx'
import { NoticesPanel, TechniquesPanel } from '../../src/pages/cve/panels/side-panels.tsx'
import { ExternalLink } from '../../src/pages/cve/parts/external-link.tsx'
import { SourceChip } from '../../src/pages/cve/parts/source-chip.tsx'
import { listRatingStatements, listRatings } from '../../src/text/verdict/ratings.ts'
import { EMPTY_CVE } from './empty-cve.ts'

const VECTOR = {
  version: '3.1',
  vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  baseScore: 9.8,
  baseSeverity: 'CRITICAL',
  attackVector: 'NETWORK',
  attackComplexity: 'LOW',
  privilegesRequired: 'NONE',
  userInteraction: 'NONE',
  scope: 'UNCHANGED',
  confidentialityImpact: 'HIGH',
  integrityImpact: 'HIGH',
  availabilityImpact: 'HIGH',
} as const

type Exploits = NonNullable<Cve['exploits']>

/** The add-on of a CVE whose only evidence is an entry of a KEV catalog. */
const listedIn = (entry: Exploits['kev_catalogs'][number]): Exploits => ({
  maturity: 'active',
  verified: true,
  first_public: entry.since,
  kev_added: entry.since,
  counts: {},
  evidence: [],
  kev_catalogs: [entry],
})

const count = (html: string, text: string) => html.split(text).length - 1

describe('CVE page: missing values', () => {
  it.each([
    ['No loaded source gives a CVSS score.', <ScorePanel key="a" cve={EMPTY_CVE} />],
    ['No loaded source names a fixed version.', <FixesPanel key="b" cve={EMPTY_CVE} />],
    ['No loaded source names affected products.', <ProductsPanel key="c" cve={EMPTY_CVE} named={null} />],
    ['No loaded source gives a reference.', <ReferencesPanel key="d" cve={EMPTY_CVE} />],
    ['No loaded source reports an exploit or exploitation.', <EvidencePanel key="e" cve={EMPTY_CVE} />],
    ['No techniques are assigned.', <TechniquesPanel key="f" cve={EMPTY_CVE} />],
    ['catalog of known exploited vulnerabilities.', <KevPanel key="g" cve={EMPTY_CVE} />],
  ])('says "%s"', (sentence, panel) => {
    expect(renderToStaticMarkup(panel)).toContain(sentence)
  })

  it('shows what sources say about fixes if none names a version of a product', () => {
    const stated_by = [{ source: 'osv:pypa', value: 'fixed 4.3', product: 'accesscontrol', branch: '4' }]
    const html = renderToStaticMarkup(<FixesPanel cve={{ ...EMPTY_CVE, sources: { fix: { stated_by } } }} />)
    expect(html).toContain('fixed 4.3 (accesscontrol, branch 4)')
    expect(html).not.toContain('No loaded source names a fixed version.')
  })

  it('shows the product named in KEV if no source names affected versions', () => {
    const kev = { dateAdded: '2026-07-16', knownRansomware: false, vendorProject: 'Halvorsen', product: 'MailGate' }
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, kev }} named={null} />)
    expect(html).toContain('No loaded source names affected versions. The product in KEV: Halvorsen MailGate.')
  })

  it('renders a record with as little data as possible', () => {
    expect(renderToStaticMarkup(<DescriptionPanel cve={EMPTY_CVE} />)).toContain(
      'No loaded source describes this CVE yet.',
    )
    const card = renderToStaticMarkup(<VerdictCard cve={EMPTY_CVE} />)
    for (const text of [
      'CVE-2026-12345',
      'Day of publication unknown',
      'No level yet',
      'No loaded source names a fix.',
    ])
      expect(card).toContain(text)
  })
})

describe('CVE page: data sets that were never loaded', () => {
  it('says that nothing is known, instead of that no notice and no estimate exists', () => {
    expect(renderToStaticMarkup(<NoticesPanel cve={EMPTY_CVE} isNeverLoaded={false} />)).toContain(
      'No notice names this CVE.',
    )
    expect(renderToStaticMarkup(<NoticesPanel cve={EMPTY_CVE} isNeverLoaded />)).toContain(
      'ACSC notices were never loaded.',
    )
    expect(renderToStaticMarkup(<VerdictCard cve={EMPTY_CVE} />)).toContain('EPSS has no estimate')
    expect(renderToStaticMarkup(<VerdictCard cve={EMPTY_CVE} isEpssLoaded={false} />)).toContain(
      'EPSS was never loaded',
    )
  })
})

describe('CVE page: hostile text', () => {
  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x'])('shows the address %s as text', (url) => {
    const html = renderToStaticMarkup(<ExternalLink url={url} />)
    expect(html).toContain(url)
    expect(html).not.toContain('href')
  })

  it('opens another site without an opener or a referrer', () => {
    const html = renderToStaticMarkup(<ExternalLink url="https://pages.example/a" />)
    expect(html).toContain('rel="noopener noreferrer"')
    expect(html).toContain('opens in a new tab')
  })

  it('never renders HTML from a description', () => {
    const cve = { ...EMPTY_CVE, description: '<img src=x onerror=alert(1)>' }
    expect(renderToStaticMarkup(<DescriptionPanel cve={cve} />)).not.toContain('<img')
    expect(renderToStaticMarkup(<VerdictCard cve={cve} />)).not.toContain('<img')
  })
})

describe('CVE page: long lists', () => {
  it('shows the first few of 1,000 references and a button for more', () => {
    const references = Array.from({ length: 1000 }, (_, index) => ({
      url: `https://pages.example/${index}`,
      source: 'cna',
    }))
    const html = renderToStaticMarkup(<ReferencesPanel cve={{ ...EMPTY_CVE, references }} />)
    expect(count(html, 'href=')).toBe(4)
    expect(html).toContain('4 of 1,000 references')
  })

  it('shows the first few of 5,000 products and a filter', () => {
    const cpe = Array.from({ length: 5000 }, (_, index) => ({
      vulnerable: true,
      criteria: `cpe:2.3:o:example:printer_${index}:*:*:*:*:*:*:*:*`,
      versionEndExcluding: `1.${index}`,
    }))
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} named={null} />)
    expect(count(html, '<svg aria-hidden="true" class="block h-4')).toBe(5)
    expect(html).toContain('5 of 5,000 groups of products')
    expect(html).toContain('Filter products by name')
  })

  it('shows the first few of 2,000 single versions of a product', () => {
    const cpe = Array.from({ length: 2000 }, (_, index) => ({
      vulnerable: true,
      criteria: `cpe:2.3:o:example:router:12.${index}:*:*:*:*:*:*:*`,
    }))
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} named={null} />)
    expect(html).toContain('and 1,988 more')
    expect(count(html, '<circle')).toBeLessThanOrEqual(201)
  })
})

describe('CVE page: fixed versions in brief', () => {
  it('shows the branch, and what other sources name', () => {
    const fix = {
      vendor: 'microsoft',
      product: 'windows',
      package_url: null,
      is_commit: false,
      source: 'cna:microsoft',
    }
    const rivals = [
      { version: '10.0.17763.4377', source: 'nvd' },
      { version: '10.0.17763.6054', source: 'msrc', affected: true as const },
    ]
    const fixes = [
      { ...fix, branch: '10.0.17763', version: '10.0.17763.6054', rivals },
      { ...fix, product: 'console', branch: null, version: '9.1', rivals: [], downstream: true as const },
    ]
    const html = renderToStaticMarkup(<FixesTable fixes={fixes} />)
    expect(html).toContain('>10.0.17763.6054<')
    expect(html).toContain('>branch 10.0.17763<')
    expect(html).toContain('NVD names 10.0.17763.4377; Microsoft has 10.0.17763.6054 in an affected range')
    expect(html.match(/may contain the affected product/g)).toHaveLength(1)
  })
})

describe('CVE page: sources in words', () => {
  it('names a source as people know it', () => {
    expect(renderToStaticMarkup(<SourceChip source="cisa-adp" />)).toContain('>CISA Vulnrichment<')
  })
})

describe('CVE page: values in words', () => {
  it('names the severity, the KEV entry, EPSS and the tags in the verdict', () => {
    const html = renderToStaticMarkup(
      <VerdictCard
        cve={{
          ...EMPTY_CVE,
          severity: 9.8,
          cvss: { v3_1: VECTOR },
          tags: ['disputed'],
          kev: {
            dateAdded: '2026-08-01',
            knownRansomware: true,
            vulnerabilityName: 'Halvorsen MailGate Path Traversal Vulnerability',
          },
          epss: { score: 0.99358, percentile: 0.9997, date: '2026-08-21' },
        }}
      />,
    )
    for (const text of [
      '>Halvorsen MailGate Path Traversal<',
      '9.8 critical',
      'Yes, with ransomware',
      'CISA KEV since 1 Aug 2026; not in EU KEV',
      '&gt; 99 %',
      'Higher than all but a few CVEs',
      'Disputed',
      'Network, no login, no user action',
    ])
      expect(html.replaceAll('<!-- -->', '')).toContain(text)
  })

  it('says in the gauge of the severity that sources differ', () => {
    const other = { source: 'cna:example', version: '3.1', score: 6.5, vector: VECTOR.vectorString } as const
    const sources = { cvss_v3_1: { stated_by: [{ source: 'nvd' }], others: [other] } }
    expect(
      renderToStaticMarkup(<VerdictCard cve={{ ...EMPTY_CVE, severity: 9.8, cvss: { v3_1: VECTOR }, sources }} />),
    ).toContain('CVSS 3.1, 2 sources differ')
  })

  it('lists the scores of all sources and marks those that differ from the record', () => {
    const sources = {
      cvss_v3_1: {
        stated_by: [{ source: 'nvd', time: '2026-08-01T00:00:00Z' }],
        others: [{ source: 'cna:example', version: '3.1', score: 6.5, vector: VECTOR.vectorString } as const],
      },
      cvss_v2_0: {
        stated_by: [{ source: 'nvd', version: '2.0', score: 7.5, vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P' } as const],
      },
    }
    const cve = { ...EMPTY_CVE, cvss: { v3_1: VECTOR }, sources }
    expect(listRatings(cve).map(({ version, score }) => [version, score])).toEqual([
      ['3.1', 9.8],
      ['2.0', 7.5],
    ])
    expect(listRatingStatements(cve).map(({ source, score, agrees }) => [source, score, agrees])).toEqual([
      ['nvd', 9.8, true],
      ['cna:example', 6.5, false],
      ['nvd', 7.5, true],
    ])
  })
})

describe('CVE page: EU KEV and CVSS 2.0', () => {
  it('says that a CVE is exploited if only the EU KEV catalog lists it', () => {
    const exploits = listedIn({
      name: 'eu',
      vendor: 'Acme',
      product: 'Anvil',
      since: '2026-08-01',
      removed_at: null,
      first: true,
    })
    const html = renderToStaticMarkup(<VerdictCard cve={{ ...EMPTY_CVE, exploits }} />)
    expect(html).toContain('Attackers exploit it (EU KEV, report of 1 Aug 2026).')
    expect(html).toContain('Not in CISA KEV; EU KEV, report of 1 Aug 2026')
  })

  it('does not say that a CVE is exploited after ENISA removed it from the EU KEV catalog', () => {
    const entry = {
      name: 'eu',
      vendor: 'Acme',
      product: 'Anvil',
      since: '2026-08-01',
      removed_at: '2026-08-09T00:00:00Z',
      first: true,
    } as const
    const cve = { ...EMPTY_CVE, exploits: listedIn(entry) }
    const html = renderToStaticMarkup(<VerdictCard cve={cve} />)
    expect(html).not.toContain('Attackers exploit it')
    expect(html).not.toContain('EU KEV, report')
  })

  it('calls a CVSS 2.0 score of 10.0 high, because CVSS 2.0 has no critical severity', () => {
    const vector = 'AV:N/AC:L/Au:N/C:C/I:C/A:C'
    const statement = { source: 'nvd', version: '2.0', score: 10, vector } as const
    const cve = { ...EMPTY_CVE, severity: 10, sources: { cvss_v2_0: { stated_by: [statement] } } }
    for (const part of [<ScorePanel key="b" cve={cve} />]) {
      const html = renderToStaticMarkup(part)
      expect(html).toContain('>High<')
      expect(html).not.toContain('Critical')
    }
    expect(renderToStaticMarkup(<VerdictCard cve={cve} />)).toContain('10.0 high')
  })
})

describe('CVE page: products, techniques and metrics in words', () => {
  it('explains derived, unmapped and inverted product matches', () => {
    const criteria = 'cpe:2.3:a:example:logger:*:*:*:*:*:*:*:*'
    const marks = { derived: true, unmapped: true, inverted: true } as const
    const cpe = [{ vulnerable: true, criteria, versionStartIncluding: '9', versionEndExcluding: '1', ...marks }]
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} named={null} />)
    expect(html).toContain('Nobody has verified them.')
    expect(html).toContain('do not occur in the data of NVD')
    expect(html).toContain('inverted: the range starts after its end')
  })

  it('says that a match limited by commits also covers fixed versions', () => {
    const criteria = 'cpe:2.3:o:example:kernel:*:*:*:*:*:*:*:*'
    const cpe = [{ vulnerable: true, criteria, by_commits: true } as const]
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} named={null} />)
    expect(html).toContain('limited by commits only, so fixed versions are included')
    expect(html).toContain('A source limits the affected versions by commits only.')
  })

  it('never says that all versions are affected if the source names them in words', () => {
    const criteria = 'cpe:2.3:a:example:router:*:*:*:*:*:*:*:*'
    const cpe = [{ vulnerable: true, criteria, unknown_versions: true } as const]
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} named={null} />)
    expect(html).toContain('Unknown versions')
    expect(html).toContain('versions the source names in words')
    expect(html).toContain('A source names affected versions in words')
    expect(html).not.toContain('Any version')
  })

  it('says how far derived techniques can be trusted', () => {
    const attack = { techniques: ['T1190'], mapping: 'derived' } as const
    const html = renderToStaticMarkup(<TechniquesPanel cve={{ ...EMPTY_CVE, attack }} />)
    expect(html).toContain('Exploit Public-Facing Application')
    expect(html).toContain('About half of such techniques agree')
  })

  it('labels each CVSS metric with its value in words', () => {
    const html = renderToStaticMarkup(<ScorePanel cve={{ ...EMPTY_CVE, severity: 9.8, cvss: { v3_1: VECTOR } }} />)
    expect(html).toContain('Privileges required')
    expect(html).toContain('An attacker can exploit it over the network')
  })
})

describe('CVE page: rejected CVEs and configurations', () => {
  it('says of a rejected CVE only that it is not to be used', () => {
    const html = renderToStaticMarkup(<VerdictCard cve={{ ...EMPTY_CVE, status: 'Rejected' }} />)
    expect(html).toContain('Do not use it.')
    for (const gauge of ['Exploited', 'EPSS', 'Severity', '>Fix<']) expect(html).not.toContain(gauge)
  })

  it('describes a configuration with its operator and the product that is not itself vulnerable', () => {
    const match = (vulnerable: boolean, product: string) => ({
      vulnerable,
      criteria: `cpe:2.3:o:example:${product}:*:*:*:*:*:*:*:*`,
    })
    const node = (vulnerable: boolean, product: string) => ({
      operator: 'OR' as const,
      negate: false,
      cpe_match: [match(vulnerable, product)],
    })
    const configurations = [
      { operator: 'AND' as const, negate: false, nodes: [node(true, 'firmware'), node(false, 'box')] },
    ]
    const html = renderToStaticMarkup(<ConfigurationsPanel cve={{ ...EMPTY_CVE, configurations }} />)
    expect(html).toContain('all of 2 groups')
    expect(html).toContain('not vulnerable itself')
  })

  it.each([
    ['none of', { operator: 'OR', negate: true }],
    ['not all of', { operator: 'AND', negate: true }],
  ] as const)('shows "%s" before the only product of a negated group', (words, group) => {
    const cpe_match = [{ vulnerable: true, criteria: 'cpe:2.3:o:example:firmware:*:*:*:*:*:*:*:*' }]
    const configurations = [{ operator: 'OR' as const, negate: false, nodes: [{ ...group, cpe_match }] }]
    const html = renderToStaticMarkup(<ConfigurationsPanel cve={{ ...EMPTY_CVE, configurations }} />)
    expect(html).toContain(`>${words}<`)
  })
})
