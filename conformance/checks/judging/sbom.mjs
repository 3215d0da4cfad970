// Checks of POST /sbom: what the service reads from a document, answer formats, limits and mistakes.

import { section } from '../../lib/check.mjs'
import { ensure, equal, ok, rejects, same } from '../../lib/expect.mjs'
import { neverCleanWithGap } from '../../lib/verdicts.mjs'

const COMPONENTS = [
  { type: 'library', 'bom-ref': 'one', name: 'no-such-product-of-anybody', version: '1.0' },
  { type: 'file', name: 'LICENSE' },
  { type: 'library', name: 'no-such-package', purl: 'pkg:npm/no-such-package@1.0.0' },
]
const cycloneDx = (components = COMPONENTS, more = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components,
  ...more,
})

/** One document per format, each with one component of the same name. */
const DOCUMENTS = {
  'CycloneDX 1.4': cycloneDx(COMPONENTS.slice(0, 1), { specVersion: '1.4' }),
  'CycloneDX 1.7': cycloneDx(COMPONENTS.slice(0, 1), { specVersion: '1.7' }),
  'SPDX 2.3': {
    spdxVersion: 'SPDX-2.3',
    packages: [{ SPDXID: 'one', name: 'no-such-product-of-anybody', versionInfo: '1.0' }],
  },
  'SPDX 3.0': {
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      {
        type: 'software_Package',
        spdxId: 'one',
        name: 'no-such-product-of-anybody',
        software_packageVersion: '1.0',
      },
    ],
  },
}

// Invalid documents: [description of the mistake, body, query, parameter in the error]
const BAD = [
  ['no JSON', '{"bomFormat"', undefined, 'body'],
  ['nothing', '', undefined, 'body'],
  ['an array', '[]', undefined, 'body'],
  ['an unknown member beside document', '{"document":{},"supress":[]}', undefined, 'supress'],
  ['an unknown format', {}, undefined, 'body'],
  ['an old version', cycloneDx([], { specVersion: '1.3' }), undefined, 'specVersion'],
  ['an old version beside suppress', { document: { spdxVersion: 'SPDX-2.1' } }, undefined, 'document.spdxVersion'],
  ['components that are no list', cycloneDx({}), undefined, 'components'],
  ['5,001 components', cycloneDx(Array.from({ length: 5001 }, () => COMPONENTS[0])), undefined, 'components'],
  ['an unknown format of the answer', cycloneDx(), { format: 'csaf' }, 'format'],
  ['fail_on beyond priority_max', cycloneDx(), { fail_on: 'P3', priority_max: 'P1' }, 'fail_on'],
  ['a pattern of own that names everything', cycloneDx(), { fail_on: 'P3', own: '*' }, 'own'],
  ['an unknown reason in allow', cycloneDx(), { fail_on: 'P3', allow: 'unknown:x' }, 'allow'],
  ['an age without a unit', cycloneDx(), { fail_on: 'P3', max_data_age: '45' }, 'max_data_age'],
  ['an allowance without fail_on', cycloneDx(), { allow: 'possibly' }, 'allow'],
]

export const checks = section('SBOM', (check) => {
  check(
    'components keep their positions and refs, files are skipped, and unknown ones are never called clean',
    async ({ api }) => {
      const { sbom, components, overview, gate } = ok(await api.scan(cycloneDx(), { fail_on: 'P1' }))
      same(
        components.map(({ index, ref }) => [index, ref]),
        [
          [0, 'one'],
          [2, undefined],
        ],
        'components',
      )
      equal(components[0].verdict, 'not_covered', 'verdict of a component known only by its name')
      for (const component of components) neverCleanWithGap(component)
      same([sbom.format, sbom.spec_version, sbom.components_read], ['cyclonedx', '1.6', 2], 'sbom')
      same([sbom.components_skipped_total, sbom.components_skipped[0].index], [1, 1], 'skipped components')
      equal(
        overview.by_verdict.not_covered,
        components.filter(({ verdict }) => verdict === 'not_covered').length,
        'not_covered',
      )
      equal(gate.result, 'incomplete', 'gate')
    },
  )

  check('a gate names what no source covers, and what is not judged by nature', async ({ api }) => {
    const { gate } = ok(await api.scan(cycloneDx(), { fail_on: 'P1' }))
    const uncovered = gate.findings.find(({ reason }) => reason === 'uncovered')
    same([uncovered?.result, uncovered?.listed[0].ref], ['incomplete', 'one'], 'the reason uncovered')
    equal(uncovered.listed[0].name, 'no-such-product-of-anybody 1.0', 'name of the component')
    same(
      gate.not_judged.map(({ nature, count }) => [nature, count]),
      [['file', 1]],
      'not_judged',
    )
    equal(ok(await api.scan(cycloneDx())).gate, undefined, 'gate without fail_on')
  })

  check('own and allow accept single components of a gate and name them', async ({ api }) => {
    const document = cycloneDx(COMPONENTS.slice(0, 1))
    const own = ok(await api.scan(document, { fail_on: 'P1', own: 'no-such-product-of-*' })).gate
    same([own.result, own.not_judged[0]?.nature], ['passed', 'own'], 'own')
    const { gate } = ok(await api.scan(document, { fail_on: 'P1', allow: 'possibly,uncovered:*anybody*' }))
    same(
      gate.allowances.map(({ reason, pattern, count }) => [reason, pattern, count]),
      [
        ['possibly', undefined, 0],
        ['uncovered', '*anybody*', 1],
      ],
      'allowed',
    )
  })

  for (const [name, document] of Object.entries(DOCUMENTS)) {
    check(`a document in ${name} is read`, async ({ api }) => {
      const { components } = ok(await api.scan(document))
      same(
        components.map(({ ref, interpreted_as: { product, version } }) => [ref, product, version]),
        [['one', 'no-such-product-of-anybody', '1.0']],
        'components',
      )
    })
  }

  check('an answer as OpenVEX or CycloneDX is a document instead of components', async ({ api }) => {
    const openVex = ok(await api.scan(cycloneDx(), { format: 'openvex' }))
    equal(openVex.document['@context'], 'https://openvex.dev/ns/v0.2.0', '@context')
    same(openVex.document.statements, [], 'statements about components without a hit')
    ensure(/No complete and current database judges [12] of 2 components/.test(openVex.document.tooling), 'tooling')
    const { document, components, fix_plan } = ok(await api.scan(cycloneDx(), { format: 'cyclonedx_vex' }))
    same([document.bomFormat, document.specVersion], ['CycloneDX', '1.6'], 'format')
    ensure(components === undefined && fix_plan === undefined, 'components are beside the document')
    const { properties } = document.components.find((each) => each['bom-ref'] === 'one')
    same(
      properties.map(({ name }) => name),
      ['vis:verdict', 'vis:coverage_gap'],
      'properties of a component that is not covered',
    )
  })

  for (const [mistake, body, query, parameter] of BAD) {
    check(`a document with ${mistake} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.scan(body, query), parameter),
    )
  }
})
