// Checks of POST /match: verdicts, reasons, limits and mistakes.

import { section } from '../../lib/check.mjs'
import { ensure, equal, idsOf, ok, rejects, same, sameMembers } from '../../lib/expect.mjs'
import { readPages } from '../../lib/pages.mjs'
import { neverCleanWithGap, VERDICTS } from '../../lib/verdicts.mjs'

/** Finds a CVE with a range that ends before a version. Returns its CPE name with that version. */
async function findFixed({ api, discovery }) {
  for (const { cve_id: id } of await discovery.findSome('not in KEV', 50)) {
    const { cpe = [] } = ok(await api.get(`/cve/${id}`, { fields: 'cve_id,cpe' })).cve
    const match = cpe.find(
      ({ criteria, versionEndExcluding: end }) => end && /^[\d.]+$/.test(end) && !criteria.includes('\\'),
    )
    if (match) return { id, cpe: match.criteria, version: match.versionEndExcluding }
  }
  return undefined
}

// Invalid bodies: [description of the mistake, body, parameter in the error]
const BAD_BODIES = [
  ['no components', {}, 'components'],
  ['an empty list', { components: [] }, 'components'],
  ['a component without a name', { components: [{ version: '1.0' }] }, 'components'],
  ['a component with two names', { components: [{ product: 'a', purl: 'pkg:npm/a@1' }] }, 'components'],
  ['a vendor beside a package URL', { components: [{ vendor: 'a', purl: 'pkg:npm/a@1' }] }, 'components'],
  ['a CPE name of anything', { components: [{ cpe: 'cpe:2.3:a:*:*:*:*:*:*:*:*:*:*:*' }] }, 'components[0].cpe'],
  ['a malformed CPE name', { components: [{ cpe: 'a:b' }] }, 'components[0].cpe'],
  ['a malformed package URL', { components: [{ purl: 'npm/a@1' }] }, 'components[0].purl'],
  ['an unknown confidence', { components: [{ product: 'a' }], confidence_min: 'sure' }, 'confidence_min'],
  ['101 components', { components: Array.from({ length: 101 }, () => ({ product: 'a' })) }, 'components'],
  [
    'an entry of suppress without a reason',
    { components: [{ product: 'a' }], suppress: [{ id: 'CVE-2021-44228' }] },
    'suppress[0].reason',
  ],
]

export const checks = section('Matching', (check) => {
  check('a component that is not covered is never called clean, and keeps its place and its ref', async ({ api }) => {
    const components = [
      { ref: 'one', product: 'no-such-product-of-anybody', version: '1.0' },
      { purl: 'pkg:npm/no-such-package@1.0.0' },
    ]
    const data = ok(await api.match({ components }))
    same(
      data.components.map(({ index, ref }) => [index, ref]),
      [
        [0, 'one'],
        [1, undefined],
      ],
      'components',
    )
    equal(data.components[0].verdict, 'not_covered', 'verdict of an unknown product')
    for (const component of data.components) neverCleanWithGap(component)
    equal(
      Object.values(data.overview.by_coverage_gap).reduce((sum, each) => sum + each, 0),
      2,
      'sum of coverage',
    )
  })

  check(
    'the excluded end of a range is not hit by it, and a product without a version is possibly affected',
    async (context) => {
      const found = await findFixed(context)
      ensure(found !== undefined, 'no CVE with an excluded end was found')
      const [atEnd, without] = ok(
        await context.api.match({
          components: [{ cpe: found.cpe, version: found.version }, { cpe: found.cpe }],
          confidence_min: 'high',
          matches_per_component: 500,
        }),
      ).components
      ensure(
        !atEnd.matches.some(({ id, statement }) => id === found.id && statement.range.before_version === found.version),
        `${found.version} is inside a range that ends before it`,
      )
      equal(without.verdict, 'possibly_affected', 'verdict without a version')
    },
  )

  check('each match names who says so, its verdict and its priority, most urgent first', async (context) => {
    const found = await findFixed(context)
    const { components, overview } = ok(
      await context.api.match({ components: [{ cpe: found.cpe, version: '0.0.1' }], confidence_min: 'low' }),
    )
    for (const { verdict, matches } of components) {
      ensure(VERDICTS.includes(verdict), verdict)
      const levels = matches.map(({ priority_level: level }) => level ?? 'P5')
      same(levels, [...levels].sort(), 'levels')
      for (const { statement, verdict } of matches) {
        ensure(statement.source.length > 0 && statement.text.endsWith('.'), statement.text)
        ensure(['affected', 'possibly_affected'].includes(verdict), verdict)
      }
    }
    equal(
      VERDICTS.reduce((sum, each) => sum + overview.by_verdict[each], 0),
      overview.components_total,
      'sum of the verdicts',
    )
  })

  check('a match with end_of_life has no fix in its release, which ended before today', async ({ api }) => {
    const names = ['pkg:maven/log4j/log4j@1.2.17', 'pkg:deb/debian/openssl@1.1.1n-0+deb10u3?distro=debian-10']
    const { components, timestamp } = ok(await api.match({ components: names.map((purl) => ({ purl })) }))
    for (const { end_of_life: end, fixed_in, statement } of components.flatMap(({ matches }) => matches)) {
      if (end === undefined) continue
      ensure(end.since === null || end.since < timestamp.slice(0, 10), `since ${end.since}`)
      ensure(statement.text.includes(`${end.product} ${end.cycle}`), statement.text)
      ensure(!fixed_in.some(({ version }) => version.startsWith(`${end.cycle}.`)), `fixed in ${end.cycle}`)
    }
  })

  check('cpe of GET /cves finds the CVEs that POST /match lists, in pages', async (context) => {
    const { cpe } = await findFixed(context)
    const named = cpe.replace(/^((?:[^:]*:){5})[^:]*/, '$10.0.1')
    const [matched] = ok(
      await context.api.match({ components: [{ cpe: named }], matches_per_component: 500 }),
    ).components
    const expected = matched.matches.map(({ id }) => id).filter((id) => id.startsWith('CVE-'))
    const query = { cpe: named, fields: 'cve_id', limit: Math.max(1, Math.ceil(expected.length / 2)) }
    sameMembers(idsOf((await readPages(context.api, '/cves', query)).items), expected, named)
    const { component } = ok(await context.api.get('/cves', { cpe: named, limit: 1 }))
    same([component.verdict, component.cves_total], [matched.verdict, expected.length], 'component')
  })

  for (const [name, value] of [
    ['cpe', 'cpe:2.3:a:nobody:no-such-product-of-anybody:1.0:*:*:*:*:*:*:*'],
    ['purl', 'pkg:npm/no-such-package@1.0.0'],
  ])
    check(
      `${name} of lists says what is known about an unknown product, instead of only returning nothing`,
      async ({ api }) => {
        for (const path of ['/cves', '/cves/recent']) {
          const { cves, component } = ok(await api.get(path, { [name]: value }))
          same(cves, [], path)
          neverCleanWithGap(component)
        }
      },
    )

  for (const [query, parameter] of [
    [{ cpe: 'a:b' }, 'cpe'],
    [{ purl: 'npm/a@1' }, 'purl'],
    [{ cpe: 'cpe:/a:b:c:1', purl: 'pkg:npm/a@1' }, 'cpe'],
    [{ cpe: 'cpe:2.3:a:*:router:1.9:*:*:*:*:*:*:*' }, 'cpe'],
    [{ cpe: `cpe:2.3:a:b:${'r'.repeat(512)}:*:*:*:*:*:*:*:*` }, 'cpe'],
    [{ purl: `pkg:npm/${'w'.repeat(512)}` }, 'purl'],
  ])
    check(`GET /cves with ${JSON.stringify(query).slice(0, 80)} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.get('/cves', query), parameter),
    )

  for (const [mistake, body, parameter] of BAD_BODIES) {
    check(`a body with ${mistake} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.match(body), parameter),
    )
  }
})
