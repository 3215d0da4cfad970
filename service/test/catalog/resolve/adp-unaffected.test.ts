import { describe, expect, it } from 'vitest'
import { describeConclusion } from '../../../src/catalog/resolve/conclusions/describe.ts'
import { cisa, cpe, cve, resolved } from '../builders.ts'

type Members = Readonly<Record<string, unknown>>

const is = (status: string, version: string, more: Members = {}) => ({ status, version, ...more })
const affected = (version: string, more?: Members) => is('affected', version, more)
const unaffected = (version: string, more?: Members) => is('unaffected', version, more)
const before = (version: string) => affected('0', { lessThan: version })
const ofCna = (product: string, defaultStatus: string, ...versions: readonly Members[]) => ({
  vendor: 'ExampleSoft',
  product,
  defaultStatus,
  versions,
})
const ofAdp = (product: string, ...versions: readonly Members[]) => ({
  vendor: 'examplesoft',
  product,
  cpes: [cpe(product)],
  defaultStatus: 'unknown',
  versions,
})

function resolveBoth(cna: readonly Members[], adp: readonly Members[], more: Members = {}) {
  return resolved([cve({ cna: { affected: cna }, adp: [{ ...cisa({ affected: adp }), ...more }] })])
}

/** Lists provider, product and version limits of the chosen matches, such as `cisa-adp router 2.0 to <2.4`. */
function show(...records: Parameters<typeof resolveBoth>): readonly string[] {
  const { cpe: chosen } = resolveBoth(...records)
  return chosen.matches.map(({ criteria, versionStartIncluding: start, versionEndExcluding: end }) => {
    const [product, version] = criteria.split(':').slice(4, 6)
    const range = [start && `from ${start}`, end && `before ${end}`].filter((each) => each !== undefined)
    return [chosen.by, product, version, ...range].join(' ')
  })
}

/** Lists the versions that the service concludes to be unaffected, such as `2.1` or `2.0 <2.4`. */
function conclude(...records: Parameters<typeof resolveBoth>): readonly string[] {
  const unaffected = resolveBoth(...records).conclusions.filter((each) => each.kind === 'unaffected')
  return unaffected.flatMap(({ product }) =>
    product.ranges.map(({ version, lessThan }) => (lessThan === null ? `${version}` : `${version} <${lessThan}`)),
  )
}

describe('Resolver: versions in an ADP container that the CNA lists as unaffected', () => {
  it('are concluded to be unaffected if they are single versions (CVE-2024-3385)', () => {
    const cna = [ofCna('Router', 'unaffected', affected('11.0.0', { lessThan: '11.0.3' }), unaffected('V11.1.0'))]
    const listed = affected('11.0.0', { lessThan: '11.0.3' })
    const adp = [ofAdp('router', listed, affected('11.1.0'))]
    expect(conclude(cna, adp)).toEqual(['11.1.0'])
    expect(conclude(cna, [ofAdp('edge_router', listed, affected('11.1.0'))])).toEqual(['11.1.0'])
    expect(conclude(cna, [ofAdp('router', listed, affected('11.2.0'))])).toEqual([])
  })

  it("leave the ADP's own statement unchanged, behind the CNA's", () => {
    const cna = [ofCna('Router', 'unaffected', affected('11.0.0', { lessThan: '11.0.3' }), unaffected('V11.1.0'))]
    const adp = [ofAdp('router', affected('11.1.0'))]
    expect(show(cna, adp)).toEqual(['cna:apache router * from 11.0.0 before 11.0.3'])
    const found = resolveBoth(cna, adp)
    expect(found.affected.find(({ by }) => by === 'cisa-adp')?.ranges).toMatchObject([
      { isAffected: true, version: '11.1.0' },
    ])
    expect(found.cpe.runnersUp).toMatchObject([{ by: 'cisa-adp', value: 1 }])
    expect(found.conclusions.map(describeConclusion)).toEqual([
      'examplesoft router 11.1.0: unaffected, because Apache lists them as unaffected. CISA calls them affected.',
    ])
  })

  it('are concluded to be unaffected if they start a range without an end or with the same end (CVE-2024-21789)', () => {
    const cna = [ofCna('Router', 'unknown', before('2.4'), unaffected('3.0', { lessThan: '*' }), unaffected('5.1'))]
    const among = (...versions: readonly Members[]) => conclude(cna, [ofAdp('router', before('2.4'), ...versions)])
    expect(among(affected('3.0', { lessThanOrEqual: '*' }), affected('5.1', { lessThan: '*' }))).toEqual([
      '3.0',
      '5.1 <*',
    ])
    expect(among(affected('3.0', { lessThan: '3.2' }))).toEqual([])
  })

  it('are concluded to be unaffected from the first version to the same end, unless nothing else is affected', () => {
    const first = unaffected('0', { lessThan: '21.1R1' })
    const listed = affected('21.1', { lessThan: '21.2' })
    const both = [ofCna('Router', 'unaffected', first, listed)]
    expect(conclude(both, [ofAdp('router', before('21.1r1'), listed)])).toEqual(['0 <21.1r1'])
    expect(conclude([ofCna('Router', 'unaffected', first)], [ofAdp('router', before('21.1R1'))])).toEqual([])
  })

  it('are concluded to be unaffected if the CNA calls all versions of the product unaffected', () => {
    const cna = [ofCna('Router', 'unaffected', before('2.4')), ofCna('Cloud Router', 'unaffected', unaffected('All'))]
    const all = affected('0', { lessThan: '*' })
    expect(conclude(cna, [ofAdp('router', before('2.4')), ofAdp('cloud_router', all)])).toEqual(['0 <*'])
    expect(conclude(cna, [ofAdp('router', before('2.4')), ofAdp('switch', all)])).toEqual([])
  })

  it("come after the CNA's ranges if it calls unlisted versions affected (CVE-2024-7612)", () => {
    const cna = [
      ofCna('Router', 'affected', unaffected('12.1.0.4'), unaffected('12.0.0.5')),
      ofCna('Switch', 'unaffected', before('2.4')),
    ]
    const adp = [ofAdp('router', affected('12.1.0.4'), affected('12.0.0.5')), ofAdp('switch', before('2.4'))]
    expect(show(cna, adp)).toEqual([
      'cna:apache router * before 12.0.0.5',
      'cna:apache router * from 12.0.1 before 12.1.0.4',
      'cna:apache switch * before 2.4',
    ])
  })

  it('come after the branches of the Linux kernel (CVE-2021-46978)', () => {
    const branch = (status: string, end: string) => is(status, '5.12.5', { lessThanOrEqual: end })
    const start = unaffected('0', { lessThan: '5.11' })
    const fixed = unaffected('5.13', { lessThanOrEqual: '*' })
    const cna = [ofCna('Linux', 'affected', affected('5.11'), start, branch('unaffected', '5.12.*'), fixed)]
    const open = affected('5.13', { lessThanOrEqual: '*' })
    const ofOwner = ['cna:apache linux * from 5.11 before 5.12.5']
    expect(show(cna, [ofAdp('linux_kernel', affected('5.11'), before('5.11*'))])).toEqual(ofOwner)
    expect(show(cna, [ofAdp('linux_kernel', affected('5.11'), branch('affected', '5.12*'))])).toEqual(ofOwner)
    expect(show(cna, [ofAdp('linux_kernel', affected('5.11'), open)])).toEqual(ofOwner)
  })

  it('leave open which other versions are affected if the CNA lists nothing else (CVE-2023-4233)', () => {
    const cna = [ofCna('Router', 'unknown', unaffected('2.1'))]
    const adp = [{ ...ofAdp('router', affected('2.1')), cpes: [cpe('router', '2.1')] }]
    expect(show(cna, adp)).toEqual(['cisa-adp router 2.1'])
    expect(resolveBoth(cna, adp).conclusions).toMatchObject([{ kind: 'unaffected', mayAffectOthers: true }])
  })

  it('stay affected if the CNA also lists them as affected, for this product or in a range', () => {
    const both = [ofCna('Router', 'unaffected', unaffected('2.1')), ofCna('Switch', 'unaffected', affected('2.1'))]
    const listed = [ofAdp('router', affected('2.1')), ofAdp('switch', affected('2.1'))]
    expect(resolveBoth(both, listed).conclusions).toMatchObject([{ product: { product: 'router' } }])
    expect(conclude(both, [ofAdp('device', affected('2.1'))])).toEqual([])
    const last = affected('2.0', { lessThanOrEqual: '2.1' })
    for (const range of [affected('2.0', { lessThan: '2.2' }), last, affected('All')]) {
      const cna = [ofCna('Router', 'unaffected', range, unaffected('2.1'))]
      expect(conclude(cna, [ofAdp('router', affected('2.1'))])).toEqual([])
    }
  })

  it("stay affected in a supplier's container about its own products", () => {
    const cna = [ofCna('Router', 'unaffected', before('2.0'), unaffected('2.1'))]
    const supplier = { providerMetadata: { orgId: 'x', shortName: 'example-SADP' } }
    const adp = [ofAdp('router', affected('2.1'))]
    expect(conclude(cna, adp, supplier)).toEqual([])
    expect(show(cna, adp, supplier)).toEqual(['adp:example-SADP router 2.1'])
    expect(show(cna, adp)).toEqual(['cna:apache router * before 2.0'])
  })
})
