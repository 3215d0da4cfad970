import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../../../src/catalog/reports/audit/checks.ts'
import { readServed } from '../../../../src/catalog/reports/served/served.ts'
import { cve as cveRecord, kevEntry, nvd, record } from '../../builders.ts'
import { exploit } from '../../records.ts'
import { auditContext, cpeMatch } from './audit-fixtures.ts'

const cve = (cna: Readonly<Record<string, unknown>>) => cveRecord({ cna })

type Context = Parameters<typeof auditContext>[0]
type SourceRecords = NonNullable<NonNullable<Context>['records']>

/** Source entry of `affected` with one affected version. */
const affected = (version: Readonly<Record<string, unknown>>, product = 'Router') => ({
  vendor: 'Example',
  product,
  versions: [{ status: 'affected', ...version }],
})
const derived = (...matches: readonly object[]) => ({ cpe: matches, enrichment: { cpe_source: 'derived:cna:example' } })
const AND = [
  {
    operator: 'AND',
    nodes: [
      { operator: 'OR', cpeMatch: [cpeMatch('a:example:router')] },
      { operator: 'OR', cpeMatch: [{ ...cpeMatch('o:example:os'), vulnerable: false }] },
    ],
  },
]
const SSVC = { metrics: { ssvcV203: [{ ssvcData: { options: [{ exploitation: 'none' }, { automatable: 'yes' }] } }] } }
const SCANNER = exploit('metasploit', { id: 'auxiliary/scanner/http/example' })
const REJECTED = { status: 'Rejected' }

/** For each check: a CVE in which it finds the defect, and a similar CVE without the defect. */
const CASES: Readonly<Record<string, readonly [defective: Context, clean: Context]>> = {
  'kev-cwe-missing': [
    { more: { kev: kevEntry({ cwes: ['CWE-78'] }) } },
    { more: { kev: kevEntry({ cwes: ['CWE-78'] }) }, columns: { enrichment: { cwe_list: ['CWE-78'] } } },
  ],
  'kev-only-cwe-missing': [
    { more: { kev: kevEntry({ cwes: ['CWE-78'] }) }, columns: { source_tag: 'kev' } },
    { more: { kev: kevEntry({ cwes: ['NVD-CWE-noinfo'] }) }, columns: { source_tag: 'kev' } },
  ],
  'kev-only-empty': [{ columns: { source_tag: 'kev', description: null } }, { columns: { source_tag: 'kev' } }],
  'v2-hidden': [
    { columns: { enrichment: { cvss_vector: 'AV:N/AC:L/Au:N/C:C/I:C/A:C' } } },
    { columns: { enrichment: { cvss_vector: 'AV:N/AC:L/Au:N/C:C/I:C/A:C' }, cvss: { v2_0: { baseScore: 10 } } } },
  ],
  'fix-named': [
    { records: [cve({ affected: [affected({ version: '0', lessThan: '2.1' })] })] },
    { records: [cve({ affected: [affected({ version: '0', lessThanOrEqual: '2.1' })] })] },
  ],
  'kev-says-update': [
    { more: { kev: kevEntry({ requiredAction: 'Apply updates per vendor instructions.' }) } },
    { more: { kev: kevEntry({ requiredAction: 'Apply mitigations. Security Updates are listed by the directive.' }) } },
  ],
  'fix-in-text': [
    { columns: { description: 'A flaw. This issue is fixed in version 2.1.' } },
    { columns: { description: 'A flaw. This issue is fixed in a later version.' } },
  ],
  'kev-without-fix': [
    { more: { kev: kevEntry() } },
    { more: { kev: kevEntry() }, columns: { enrichment: { patch_available: true } } },
  ],
  'techniques-unmarked': [
    { columns: { techniques: ['T1190'] } },
    { columns: { techniques: ['T1190'], technique_mapping: 'derived' } },
  ],
  'techniques-derived': [
    { columns: { techniques: ['T1190'], technique_mapping: 'derived' } },
    { columns: { techniques: ['T1190'] }, more: { mappings: [{ techniqueId: 'T1190' }] } },
  ],
  'derived-names': [
    { columns: { cpe: [cpeMatch('a:example:router', { derived: true })] } },
    { columns: { cpe: [cpeMatch('a:example:router')], enrichment: { cpe_source: 'nvd' } } },
  ],
  'unknown-names': [
    { columns: derived(cpeMatch('a:example_corporation:router')), nvdNames: ['a:example:router'] },
    { columns: derived(cpeMatch('a:example:router')), nvdNames: ['a:example:router'] },
  ],
  'unknown-names-unmarked': [
    { columns: derived(cpeMatch('a:example_corporation:router', { derived: true })) },
    { columns: derived(cpeMatch('a:example_corporation:router', { derived: true, unmapped: true })) },
  ],
  'tree-missing': [
    { records: [nvd({ configurations: AND })] },
    { records: [nvd({ configurations: AND })], columns: { configurations: AND } },
  ],
  'software-as-condition': [
    { records: [nvd({ configurations: AND })] },
    { records: [nvd({ configurations: [{ ...AND[0], operator: 'OR' }] })] },
  ],
  'any-version': [
    {
      columns: derived(cpeMatch('a:example:router')),
      records: [cve({ affected: [affected({ version: '8.0.20 and prior' })] })],
    },
    { columns: derived(cpeMatch('a:example:router')), records: [cve({ affected: [affected({ version: 'n/a' })] })] },
  ],
  'open-end': [
    {
      columns: derived(cpeMatch('a:example:router', { versionStartIncluding: '21.1' })),
      records: [cve({ affected: [affected({ version: '21.1', lessThan: '21.1*' })] })],
    },
    {
      columns: derived(cpeMatch('a:example:router', { versionStartIncluding: '21.1' })),
      records: [cve({ affected: [affected({ version: '21.1', lessThan: '*' })] })],
    },
  ],
  'hash-as-version': [
    { columns: { cpe: [cpeMatch('o:linux:linux_kernel', { versionEndExcluding: '9e46c70e829b' })] } },
    { columns: { cpe: [cpeMatch('o:linux:linux_kernel', { versionEndExcluding: '20240101' })] } },
  ],
  'range-as-version': [
    { columns: derived(cpeMatch('a:example:router:4.0.0\\-4.4.2')) },
    { columns: derived(cpeMatch('a:example:router:4.0.0\\-rc1')) },
  ],
  'inverted-range': [
    { columns: { cpe: [cpeMatch('a:example:router', { versionStartIncluding: '2404', versionEndExcluding: '1' })] } },
    {
      columns: {
        cpe: [cpeMatch('a:example:router', { versionStartIncluding: '2', versionEndExcluding: '1', inverted: true })],
      },
    },
  ],
  'tags-missing': [
    { records: [nvd({ cveTags: [{ tags: ['disputed'] }] })] },
    { records: [nvd({ cveTags: [{ tags: ['disputed'] }] })], columns: { tags: ['disputed'] } },
  ],
  'whole-distribution': [
    {
      columns: { cpe: [cpeMatch('o:redhat:enterprise_linux:8')], enrichment: { cpe_source: 'cna:redhat' } },
      records: [
        cve({
          affected: [
            affected({ version: '0', lessThan: '0.26.0' }),
            { ...affected({}), packageName: 'router', cpes: ['cpe:/o:redhat:enterprise_linux:8'] },
          ],
        }),
      ],
    },
    {
      columns: { cpe: [cpeMatch('o:redhat:enterprise_linux:8')], enrichment: { cpe_source: 'cna:redhat' } },
      records: [
        cve({
          affected: [{ ...affected({}), packageName: 'router', cpes: ['cpe:/o:redhat:enterprise_linux:8'] }],
        }),
      ],
    },
  ],
  'rejected-with-values': [{ columns: { ...REJECTED, severity: 9.8 } }, { columns: REJECTED }],
  'rejected-with-exploit': [
    { columns: { ...REJECTED, enrichment: { exploit_flag: true } } },
    { columns: { enrichment: { exploit_flag: true } } },
  ],
  'rejected-in-kev': [{ columns: REJECTED, more: { kev: kevEntry() } }, { columns: REJECTED }],
  'html-tags': [
    { columns: { description: '<p>A flaw.</p>' } },
    { columns: { description: 'The input <script>alert(1)</script> is not escaped, and a < b > c.' } },
  ],
  entities: [{ columns: { description: 'R&amp;D tools' } }, { columns: { description: 'R&D tools; copy & paste;' } }],
  mojibake: [{ columns: { description: 'the productâ€™s server' } }, { columns: { description: 'the café’s server' } }],
  'replacement-characters': [{ columns: { description: 'caf\ufffd' } }, { columns: { description: 'café' } }],
  truncated: [{ records: [{ ...nvd({}), truncated: ['description'] }] }, { records: [nvd({})] }],
  'ssvc-dropped': [
    { records: [nvd(SSVC)] },
    { records: [nvd(SSVC)], columns: { sources: { ssvc: [{ automatable: 'yes', technical_impact: 'total' }] } } },
  ],
  'scanner-as-exploit': [
    { columns: { enrichment: { exploit_flag: true } }, more: { exploits: [SCANNER] } },
    { columns: { enrichment: { exploit_flag: true } }, more: { exploits: [SCANNER, exploit('exploitdb')] } },
  ],
  'scanner-modules': [
    { more: { exploits: [SCANNER] } },
    { more: { exploits: [SCANNER, exploit('metasploit', { id: 'exploit/multi/http/example' })] } },
  ],
  'detail-of-cve-list-only': [{ detailSources: ['cve'] }, { detailSources: ['cve', 'nvd'] }],
  'package-without-purl': [
    { records: [record('ghsa', { products: [{ product: 'example', purl: null }] })] },
    { records: [record('ghsa', { products: [{ product: 'example', purl: 'pkg:npm/example' }] })] },
  ],
}

const findCheck = (id: string) => CHECKS.find((check) => check.id === id)

describe('Audit checks', () => {
  it('each have a case in this test', () => {
    const ids = CHECKS.map(({ id }) => id)
    expect(ids.toSorted()).toEqual(Object.keys(CASES).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(Object.entries(CASES))(
    '%s finds the defect, and does not find it in a similar CVE without the defect',
    (id, [defective, clean]) => {
      const check = findCheck(id)
      expect([check?.applies(auditContext(defective)), check?.applies(auditContext(clean))]).toEqual([true, false])
    },
  )

  it.each([
    ['html-tags', 'Nicknames with <br> sequences crash the server.'],
    ['html-tags', 'It strips `<pre>` in quotations.'],
    ['entities', 'The entities (&lt;, &gt;) are not escaped.'],
    ['entities', 'A buffer overflows because of &nbsp; expansion.'],
    ['entities', 'It runs java&#115;cript, also after a tab (&#9;).'],
    ['entities', 'It accepts "&lt;&quot;&lt;" and `{{x:&lt;img&gt;}}` as input.'],
  ])('%s ignores markup that the text mentions: %s', (id, description) => {
    expect(findCheck(id)?.applies(auditContext({ columns: { description } }))).toBe(false)
  })

  it('do not count a CISA-ADP range as a fix if it ends before a version that the CNA or NVD calls affected', () => {
    const adp = { providerMetadata: { shortName: 'CISA-ADP' }, affected: [affected({ version: '0', lessThan: '2.1' })] }
    const applies = (version: object, configurations: readonly object[] = []) => {
      const records = [
        cveRecord({ cna: { affected: [affected({ ...version })] }, adp: [adp] }),
        nvd({ configurations }),
      ]
      return findCheck('fix-named')?.applies(auditContext({ records }))
    }
    const last = [{ nodes: [{ cpeMatch: [cpeMatch('a:example:router:v2.1')] }] }]
    expect([applies({ version: '2.0' }), applies({ version: 'V2.1' }), applies({ version: '2.0' }, last)]).toEqual([
      true,
      false,
      false,
    ])
    expect([applies({ version: '1.0 to v2.1' }), applies({ version: '1.0 to 2.1.3' })]).toEqual([false, true])
  })

  it.each([
    ['The router 2.1 and earlier restarts.', false],
    ['The router before 2.1 restarts.', true],
    ['The router 2.1 restarts. This is fixed in 2.1.', true],
    ['The router 2.1.4 restarts.', true],
    ['A malformed packet restarts the router.', true],
  ])(
    'use the description to decide whether a version is fixed if sources call it both affected and fixed: %s',
    (description, isFix) => {
      const first = [{ nodes: [{ cpeMatch: [cpeMatch('a:example:router', { versionEndExcluding: '2.1' })] }] }]
      const records = [
        cveRecord({ cna: { affected: [affected({ version: '2.1 and prior' })] } }),
        nvd({ configurations: first }),
      ]
      expect(findCheck('fix-named')?.applies(auditContext({ columns: { description }, records }))).toBe(isFix)
    },
  )

  it('report no missing patch for a record without enrichment, which says nothing about patches', () => {
    const records = [cve({ affected: [affected({ version: '0', lessThan: '2.1' })] })]
    const context = auditContext({ records })
    const withoutEnrichment = readServed({ enrichment: 'null', cve_id: 'CVE-2026-4711', detail_sources: [] })
    const fixNamed = findCheck('fix-named')
    expect([fixNamed?.applies(context), fixNamed?.applies({ ...context, served: withoutEnrichment })]).toEqual([
      true,
      false,
    ])
  })

  it.each([
    ['https://example.org/advisory', true],
    ['https://nvd.nist.gov/vuln/detail/CVE-2026-4711', false],
    ['https://www.cisa.gov/directive/bod-26-04', false],
  ])('expect the link %s from a KEV entry in the record: %s', (notes, isExpected) => {
    const columns = { source_tag: 'kev', references: [] }
    const context = auditContext({ columns, more: { kev: kevEntry({ notes }) } })
    expect(findCheck('kev-only-empty')?.applies(context)).toBe(isExpected)
  })

  it('do not report CPE names written by the source itself as unknown', () => {
    const columns = derived(cpeMatch('h:example:chip'))
    const written = { ...affected({ version: '1' }), cpes: ['cpe:2.3:h:Example:chip:-:*:*:*:*:*:*:*'] }
    const applies = (records: SourceRecords) => findCheck('unknown-names')?.applies(auditContext({ columns, records }))
    expect([applies([]), applies([cve({ affected: [written] })])]).toEqual([true, false])
  })

  it('expect no tree of conditions without a vulnerable product', () => {
    const conditions = [{ operator: 'AND', nodes: [{ cpeMatch: [cpeMatch('o:example:os', { vulnerable: false })] }] }]
    const context = auditContext({ records: [nvd({ configurations: conditions })] })
    expect(findCheck('tree-missing')?.applies(context)).toBe(false)
  })

  it('group the KEV entries without a fix by the required action', () => {
    const context = auditContext({ more: { kev: kevEntry({ requiredAction: 'Apply  mitigations. ' }) } })
    expect(findCheck('kev-without-fix')?.group?.(context)).toBe('Apply mitigations.')
  })

  it('count only tags of the CNA container, ignoring case (decision E8)', () => {
    const records = (tag: string, container: 'cna' | 'adp') =>
      container === 'cna' ? [cve({ tags: [tag] })] : [cveRecord({ adp: [{ tags: [tag] }] })]
    const applies = (given: Context) => findCheck('tags-missing')?.applies(auditContext(given))
    expect(applies({ records: records('Disputed', 'cna') })).toBe(true)
    expect(applies({ records: records('Disputed', 'cna'), columns: { tags: ['disputed'] } })).toBe(false)
    expect(applies({ records: records('disputed', 'adp') })).toBe(false)
  })

  it('do not count an unaffected version as a fix if it is older than every affected version', () => {
    const applies = (unaffected: string) => {
      const versions = [
        { status: 'affected', version: '20.8.0' },
        { status: 'unaffected', version: unaffected },
      ]
      const records = [cve({ affected: [{ vendor: 'Example', product: 'Router', versions }] })]
      return findCheck('fix-named')?.applies(auditContext({ records }))
    }
    expect([applies('20.8.1'), applies('20.0.0')]).toEqual([true, false])
  })

  it('do not count the end of a CPE match as a fix if another match of the product lists it as affected', () => {
    const applies = (other: object) => {
      const matches = [cpeMatch('a:example:router', { versionEndExcluding: '2.1' }), other]
      const configurations = matches.map((each) => ({ nodes: [{ cpeMatch: [each] }] }))
      return findCheck('fix-named')?.applies(auditContext({ records: [nvd({ configurations })] }))
    }
    expect(applies(cpeMatch('a:example:router', { versionStartIncluding: '2.1' }))).toBe(false)
    expect(applies(cpeMatch('a:example:router', { versionEndIncluding: '2.1' }))).toBe(false)
    expect(applies(cpeMatch('a:example:switch', { versionStartIncluding: '2.1' }))).toBe(true)
  })

  it('report a missing fix that NVD, a link tagged as a patch, GitHub or the CVE List names', () => {
    const end = [{ nodes: [{ cpeMatch: [cpeMatch('a:example:router', { versionEndExcluding: '2.1' })] }] }]
    const records = [
      nvd({ configurations: end }),
      nvd({ references: [{ url: 'https://example.org', tags: ['Patch'] }] }),
      record('ghsa', { products: [{ fixed: '2.1' }] }),
      cve({ affected: [affected({ version: '2.0', changes: [{ at: '2.1', status: 'unaffected' }] })] }),
    ]
    const applies = records.map((each) => findCheck('fix-named')?.applies(auditContext({ records: [each] })))
    expect(applies).toEqual([true, true, true, true])
  })
})
