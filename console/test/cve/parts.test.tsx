// Renders parts of the CVE page to HTML, as the browser shows them before anybody presses a button.
import { renderToStaticMarkup } from 'react-dom/server'
import type { Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { listRatingStatements, listRatings } from '../../src/pages/cve/model/ratings.ts'
import { ConfigurationsPanel } from '../../src/pages/cve/panels/configurations-panel.tsx'
import { FixesPanel, FixesTable } from '../../src/pages/cve/panels/fixes-panel.tsx'
import { KevFacts } from '../../src/pages/cve/panels/kev-panel.tsx'
import { ProductsPanel } from '../../src/pages/cve/panels/products-panel.tsx'
import { ReferencesPanel } from '../../src/pages/cve/panels/references-panel.tsx'
import { ScorePanel } from '../../src/pages/cve/panels/score-panel.tsx'
import { TechniquesPanel } from '../../src/pages/cve/panels/side-panels.tsx'
import { listFixedVersions } from '../../src/pages/cve/panels/summary-panel.tsx'
import { TimelinePanel } from '../../src/pages/cve/panels/timeline-panel.tsx'
import { ExternalLink } from '../../src/pages/cve/parts/external-link.tsx'
import { SourceChip } from '../../src/pages/cve/parts/source-chip.tsx'
import { RecordView } from '../../src/pages/cve/record-view.tsx'
import { TitleLine } from '../../src/pages/cve/title-line.tsx'
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

const NO_HISTORY = { epss: null, changes: null }

const noDetail = { data: null, error: null, refetch: () => Promise.reject(new Error('not called')) }

const count = (html: string, text: string) => html.split(text).length - 1

describe('CVE page: missing values', () => {
  it.each([
    ['No source gives a CVSS score.', <ScorePanel key="a" cve={EMPTY_CVE} />],
    ['No source names a fixed version.', <FixesPanel key="b" cve={EMPTY_CVE} detail={undefined} />],
    ['No source names affected products.', <ProductsPanel key="c" cve={EMPTY_CVE} detail={undefined} />],
    ['No source gives a reference.', <ReferencesPanel key="d" cve={EMPTY_CVE} />],
    ['No source reports an exploit or exploitation.', <TimelinePanel key="e" cve={EMPTY_CVE} />],
    ['No techniques are assigned.', <TechniquesPanel key="f" cve={EMPTY_CVE} />],
    ['catalog of known exploited vulnerabilities.', <KevFacts key="g" cve={EMPTY_CVE} />],
  ])('says "%s"', (sentence, panel) => {
    expect(renderToStaticMarkup(panel)).toContain(sentence)
  })

  it('does not claim that there is no fix if the detail record could not be read', () => {
    const failed = { ...noDetail, data: undefined, error: new Error('unreachable') }
    const html = renderToStaticMarkup(<RecordView cve={EMPTY_CVE} detail={failed} history={NO_HISTORY} />)
    expect(html).not.toContain('No source names a fixed version.')
    expect(html).toContain('Fixed versions could not be read.')
  })

  it('shows what sources say about fixes if there is no detail record', () => {
    const stated_by = [{ source: 'osv:pypa', value: 'fixed 4.3', product: 'accesscontrol', branch: '4' }]
    const html = renderToStaticMarkup(
      <FixesPanel cve={{ ...EMPTY_CVE, sources: { fix: { stated_by } } }} detail={undefined} />,
    )
    expect(html).toContain('fixed 4.3 (accesscontrol, branch 4)')
    expect(html).not.toContain('No source names a fixed version.')
  })

  it('shows the product named in KEV if no source names affected versions', () => {
    const kev = { dateAdded: '2026-07-16', knownRansomware: false, vendorProject: 'Halvorsen', product: 'MailGate' }
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, kev }} detail={undefined} />)
    expect(html).toContain('No source names affected versions. The product in KEV: Halvorsen MailGate.')
  })

  it('says that sources name products if the CVE has no detail record that lists them', () => {
    const sources = { products: { stated_by: [{ source: 'ghsa', count: 3 }] } }
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, sources }} detail={undefined} />)
    expect(html).toContain('Sources name products, but not in CPE.')
  })

  it('renders a record with as little data as possible', () => {
    const html = renderToStaticMarkup(<RecordView cve={EMPTY_CVE} detail={noDetail} history={NO_HISTORY} />)
    expect(html).toContain('No source describes this CVE yet.')
    expect(html).toContain('on an unknown day')
  })
})

describe('CVE page: data sets that were never loaded', () => {
  it('says that nothing is known, instead of that no notice and no estimate exists', () => {
    const render = (neverLoaded: readonly string[]) =>
      renderToStaticMarkup(
        <RecordView cve={EMPTY_CVE} detail={noDetail} history={NO_HISTORY} neverLoaded={neverLoaded} />,
      )

    expect(render([])).toContain('No notice names this CVE.')
    expect(render([])).toContain('EPSS has no estimate for this CVE.')
    const html = render(['acsc', 'epss'])
    expect(html).toContain('ACSC notices were never loaded.')
    expect(html).toContain('EPSS scores were never loaded.')
    expect(html).not.toContain('No notice names this CVE.')
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
    expect(renderToStaticMarkup(<RecordView cve={cve} detail={noDetail} history={NO_HISTORY} />)).not.toContain('<img')
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
    }))
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} detail={undefined} />)
    expect(count(html, '<svg aria-hidden="true" class="block h-4')).toBe(5)
    expect(html).toContain('5 of 5,000 products')
    expect(html).toContain('Filter products by name')
  })

  it('shows the first few of 2,000 single versions of a product', () => {
    const cpe = Array.from({ length: 2000 }, (_, index) => ({
      vulnerable: true,
      criteria: `cpe:2.3:o:example:router:12.${index}:*:*:*:*:*:*:*`,
    }))
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} detail={undefined} />)
    expect(html).toContain('and 1,988 more')
    expect(count(html, '<circle')).toBeLessThanOrEqual(201)
  })
})

describe('CVE page: fixed versions in brief', () => {
  const fix = (product: string, version: string) => ({ product, version })

  it('names the product of each fixed version once', () => {
    const fixes = [fix('fortiproxy', '7.0.20'), fix('fortiproxy', '7.2.13'), fix('fortios', '7.0.17')]
    expect(listFixedVersions([...fixes, fix('fortios', '7.0.17')])).toBe('fortiproxy 7.0.20, 7.2.13; fortios 7.0.17')
  })

  it('shows the branch, and what other sources name with their day', () => {
    const time = '2025-01-01T01:37:53Z'
    const fix = {
      vendor: 'microsoft',
      product: 'windows',
      package_url: null,
      is_commit: false,
      source: 'cna:microsoft',
    }
    const rivals = [{ version: '10.0.17763.4377', source: 'nvd', time: '2023-05-15T18:18:00Z' }]
    const fixes = [
      { ...fix, branch: '10.0.17763', version: '10.0.17763.6054', time, rivals },
      { ...fix, product: 'console', branch: null, version: '9.1', time, rivals: [], downstream: true as const },
    ]
    const html = renderToStaticMarkup(<FixesTable fixes={fixes} />)
    expect(html).toContain('>10.0.17763.6054<')
    expect(html).toContain('>branch 10.0.17763<')
    expect(html).toContain('NVD: 10.0.17763.4377 (2023-05-15)')
    expect(html.match(/may contain the affected product/g)).toHaveLength(1)
  })

  it('says how many versions it leaves out', () => {
    const fixes = ['1', '2', '3', '4', '5', '6'].map((version) => fix('mlflow', version))
    expect(listFixedVersions(fixes)).toBe('mlflow 1, 2, 3, 4; 2 more')
  })
})

describe('CVE page: sources in words', () => {
  it('names the main record and the sources of the verdict', () => {
    const line = renderToStaticMarkup(<TitleLine cve={{ ...EMPTY_CVE, source_tag: 'nvd' }} />)
    expect(line.replaceAll('<!-- -->', '')).toContain('Main record: <span title="nvd">NVD</span>')
    expect(renderToStaticMarkup(<SourceChip source="cisa-adp" />)).toContain('>CISA Vulnrichment<')
  })
})

describe('CVE page: values in words', () => {
  it('names the severity, the KEV entry, the exploit and the tags in the title line', () => {
    const html = renderToStaticMarkup(
      <TitleLine
        cve={{
          ...EMPTY_CVE,
          severity: 9.8,
          cvss: { v3_1: VECTOR },
          tags: ['disputed'],
          kev: { dateAdded: '2026-08-01', knownRansomware: true },
          epss: { score: 0.94358, percentile: 0.9997, date: '2026-08-21' },
        }}
      />,
    )
    for (const text of ['9.8', 'Critical', 'In KEV · Ransomware', 'EPSS 94.4 %', 'percentile 99.97 %', 'Disputed'])
      expect(html.replaceAll('<!-- -->', '')).toContain(text)
  })

  it('shows next to the score that sources disagree', () => {
    const other = { source: 'cna:example', version: '3.1', score: 6.5, vector: VECTOR.vectorString } as const
    const sources = {
      severity: { stated_by: [{ source: 'nvd' }] },
      cvss_v3_1: { stated_by: [{ source: 'nvd' }], others: [other] },
      disagreements: [{ about: 'cvss_v3_1', text: 'The sources give different severity levels.' } as const],
    }
    const html = renderToStaticMarkup(
      <TitleLine cve={{ ...EMPTY_CVE, severity: 9.8, cvss: { v3_1: VECTOR }, sources }} />,
    )
    expect(html.replaceAll('<!-- -->', '')).toContain(' differ')
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
    const html = renderToStaticMarkup(
      <RecordView cve={{ ...EMPTY_CVE, exploits }} detail={noDetail} history={NO_HISTORY} />,
    )
    expect(html).toContain('in ENISA&#x27;s EU KEV catalog, reported on 2026-08-01.')
    expect(html).toContain('>In EU KEV<')
    expect(html).not.toContain('No exploitation is known.')
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
    const html = renderToStaticMarkup(<RecordView cve={cve} detail={noDetail} history={NO_HISTORY} />)
    expect(html).toContain('No exploitation is known.')
    expect(html).not.toContain('In EU KEV')
  })

  it('calls a CVSS 2.0 score of 10.0 high, because CVSS 2.0 has no critical severity', () => {
    const vector = 'AV:N/AC:L/Au:N/C:C/I:C/A:C'
    const statement = { source: 'nvd', version: '2.0', score: 10, vector } as const
    const cve = { ...EMPTY_CVE, severity: 10, sources: { cvss_v2_0: { stated_by: [statement] } } }
    for (const part of [<TitleLine key="a" cve={cve} />, <ScorePanel key="b" cve={cve} />]) {
      const html = renderToStaticMarkup(part)
      expect(html).toContain('>High<')
      expect(html).not.toContain('Critical')
    }
  })
})

describe('CVE page: products, techniques and metrics in words', () => {
  it('explains derived, unmapped and inverted product matches', () => {
    const criteria = 'cpe:2.3:a:example:logger:*:*:*:*:*:*:*:*'
    const marks = { derived: true, unmapped: true, inverted: true } as const
    const cpe = [{ vulnerable: true, criteria, versionStartIncluding: '9', versionEndExcluding: '1', ...marks }]
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} detail={undefined} />)
    expect(html).toContain('Nobody has verified them.')
    expect(html).toContain('do not occur in the data of NVD')
    expect(html).toContain('inverted: the range starts after its end')
  })

  it('says that a match limited by commits also covers fixed versions', () => {
    const criteria = 'cpe:2.3:o:example:kernel:*:*:*:*:*:*:*:*'
    const cpe = [{ vulnerable: true, criteria, by_commits: true } as const]
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} detail={undefined} />)
    expect(html).toContain('limited by commits only, so fixed versions are included')
    expect(html).toContain('A source limits the affected versions by commits only.')
  })

  it('never says that all versions are affected if the source names them in words', () => {
    const criteria = 'cpe:2.3:a:example:router:*:*:*:*:*:*:*:*'
    const cpe = [{ vulnerable: true, criteria, unknown_versions: true } as const]
    const html = renderToStaticMarkup(<ProductsPanel cve={{ ...EMPTY_CVE, cpe }} detail={undefined} />)
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
  it('marks a rejected CVE and omits its panels', () => {
    const html = renderToStaticMarkup(
      <RecordView cve={{ ...EMPTY_CVE, status: 'Rejected' }} detail={noDetail} history={NO_HISTORY} />,
    )
    expect(html).toContain('This id was rejected. Do not use it.')
    expect(html).not.toContain('Affected versions')
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
