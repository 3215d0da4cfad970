import { describe, expect, it } from 'vitest'
import { type ExportedState, NO_ACTION, readStatements, toStatement } from '../../../src/domain/triage/openvex.ts'
import { parseScope } from '../../../src/domain/triage/scope.ts'
import { REOPENERS } from '../../../src/domain/triage/words.ts'

function state(changes: Partial<ExportedState> = {}, scope = 'pkg:npm/lodash', versions = ''): ExportedState {
  const parsed = parseScope(scope, versions)
  if ('error' in parsed) throw new Error(parsed.error)
  return {
    cveId: 'CVE-2021-23337',
    scope: parsed,
    state: 'fixed',
    justification: null,
    impactStatement: null,
    actionStatement: null,
    note: null,
    until: null,
    unless: REOPENERS,
    known: { level: 'P3', isExploited: false },
    effect: 'suppresses',
    setAt: '2026-08-22T00:00:00Z',
    ...changes,
  }
}

/** Without what a document does not carry. */
function compare({ effect: _effect, setAt: _setAt, known: _known, ...rest }: ExportedState) {
  return rest
}

const NOT_AFFECTED = { state: 'not_affected', justification: 'component_not_present' } as const

const STATES: Readonly<Record<string, ExportedState>> = {
  'a fixed package': state(),
  'a note of several lines': state({ note: 'one\ntwo\n\nthree' }),
  'not affected, with a justification and a sentence': state({ ...NOT_AFFECTED, impactStatement: 'We removed it.' }),
  'affected, without an action': state({ state: 'affected' }),
  'affected, with an action': state({ state: 'affected', actionStatement: 'Upgrade in March.' }),
  'under investigation, about the CVE as such': state({ state: 'under_investigation' }, '*'),
  'an accepted risk with an end': state({ state: 'accepted', until: '2027-01-31', actionStatement: 'Replaced.' }),
  'an accepted risk that only exploitation reopens': state({ state: 'accepted', unless: ['exploited'], note: 'n' }),
  'a state that has ended': state({ ...NOT_AFFECTED, effect: 'ended', until: '2020-01-01' }),
  'an open state with an action': state({ state: 'accepted', effect: 'reopened', actionStatement: 'a' }),
  'one version of a package': state({}, 'pkg:npm/%40a/b@1.0.0+build'),
  'a range of a package': state({}, 'pkg:deb/debian/openssl?distro=debian-12', '>=1:1.0|<2.0~rc1'),
  'some versions': state({}, 'pkg:npm/lodash', '=1.0|=2.0'),
  'a product': state({}, 'cpe:2.3:a:apache:http_server:*:*:*:*:*:*:*:*'),
  'a version and update of a product': state({}, 'cpe:2.3:o:vendor:product:11.1:h1:*:*:*:*:*:*'),
  'a range of a product': state({}, 'cpe:2.3:a:apache:http_server:*:*:*:*:*:*:*:*', '>=2.4|<2.4.60'),
  'a note that looks like the rest': state({ note: 'x\nTriage: {"state":"accepted"}', until: '2027-01-31' }),
}

describe('A state as an OpenVEX statement', () => {
  it.each(Object.entries(STATES))('comes back as it was: %s', (_, each) => {
    const { states, problems } = readStatements([JSON.parse(JSON.stringify(toStatement(each).statement))])
    expect(problems).toEqual([])
    expect(states.map((found) => compare({ ...each, ...found }))).toEqual([compare(each)])
  })

  it('keeps what was known only if the state is open again, so that it stays open', () => {
    const [reopened, kept] = [state({ ...NOT_AFFECTED, effect: 'reopened' }), state(NOT_AFFECTED)]
    const read = (each: ExportedState) => readStatements([toStatement(each).statement]).states[0]?.known
    expect([read(reopened), read(kept)]).toEqual([{ level: 'P3', isExploited: false }, undefined])
  })

  it.each([
    ['accepted', state({ state: 'accepted' }), 'affected'],
    ['ended', state({ ...NOT_AFFECTED, effect: 'ended' }), 'under_investigation'],
    ['reopened', state({ ...NOT_AFFECTED, effect: 'reopened' }), 'under_investigation'],
  ])('tells other tools nothing that hides more: %s', (_, each, status) => {
    const { statement, unexpressed } = toStatement(each)
    expect(statement).toMatchObject({ status })
    expect(statement).not.toHaveProperty('justification')
    expect(unexpressed).toContain('state')
  })

  it('names no package without its range that other tools could take for all versions', () => {
    const { statement, unexpressed } = toStatement(state({}, 'pkg:npm/lodash', '<4.17.21'))
    const purl = 'pkg:npm/lodash?vers=vers%3A%3C4.17.21'
    expect(statement).toMatchObject({ products: [{ '@id': purl, identifiers: { purl } }] })
    expect(unexpressed).toEqual(['version_range'])
    const product = toStatement(state({}, 'cpe:2.3:a:b:c:*:*:*:*:*:*:*:*', '<2')).statement
    expect(JSON.stringify(product)).not.toContain('cpe23')
  })

  it('has the action that OpenVEX requires', () => {
    expect(toStatement(state({ state: 'affected' })).statement).toMatchObject({ action_statement: NO_ACTION })
  })
})

describe('An OpenVEX document of somebody else', () => {
  const lodash = [{ '@id': 'pkg:npm/lodash@4.17.20' }]
  const fixed = { vulnerability: { name: 'CVE-2021-23337' }, products: lodash, status: 'fixed' }

  it.each([
    ['no CVE', { ...fixed, vulnerability: { name: 'GHSA-35jh-r3h4-6jhm' } }, /names no CVE/],
    [
      'a part of a product',
      { ...fixed, products: [{ '@id': 'pkg:oci/app', subcomponents: lodash }] },
      /part of a product/,
    ],
    ['an unknown product', { ...fixed, products: [{ '@id': 'https://example.org/app' }] }, /must be \*/],
    ['no reason', { ...fixed, status: 'not_affected' }, /without a justification/],
    ['an unknown status', { ...fixed, status: 'ignored' }, /status/],
    ['an unknown justification', { ...fixed, status: 'not_affected', justification: 'because' }, /justification/],
    ['an action for what is fixed', { ...fixed, action_statement: 'x' }, /action_statement/],
    ['no product', { ...fixed, products: [] }, /products/],
    ['no object', 'x', /object/],
  ])('leaves a statement out with %s, and says why', (_, statement, why) => {
    const { states, problems } = readStatements([statement, fixed])
    expect(states).toHaveLength(1)
    expect(problems).toEqual([{ index: 0, why: expect.stringMatching(why), isLeftOut: true }])
  })

  it('finds the CVE among the aliases, and reads the form before version 0.2.0', () => {
    const alias = { ...fixed, vulnerability: { name: 'GHSA-35jh-r3h4-6jhm', aliases: ['CVE-2021-23337'] } }
    const older = { vulnerability: 'CVE-2021-23337', products: ['pkg:npm/lodash@4.17.20'], status: 'fixed' }
    for (const statement of [alias, older])
      expect(readStatements([statement]).states).toMatchObject([
        { cveId: 'CVE-2021-23337', scope: { scope: 'pkg:npm/lodash', versions: '=4.17.20' } },
      ])
  })

  it('says which qualifiers of a product are not kept', () => {
    const products = [{ '@id': 'pkg:deb/debian/openssl@3.0?arch=amd64&distro=debian-12' }]
    const { states, problems } = readStatements([{ ...fixed, products }])
    expect(states).toMatchObject([{ scope: { scope: 'pkg:deb/debian/openssl?distro=debian-12' } }])
    expect(problems).toEqual([{ index: 0, why: expect.stringContaining('arch'), isLeftOut: false }])
  })

  it.each([
    ['pkg:golang/github.com/aws/aws-sdk-go-v2#service/s3', /subpath/],
    ['pkg:golang/github.com/aws/aws-sdk-go-v2?arch=x#service/s3', /subpath/],
    ['pkg:npm/lodash?VERS=vers:npm/<4', /version_range/],
  ])('leaves out a product that would become wider: %s', (product, why) => {
    const { states, problems } = readStatements([{ ...fixed, products: [product] }])
    expect(states).toEqual([])
    expect(problems).toEqual([{ index: 0, why: expect.stringMatching(why), isLeftOut: true }])
  })

  it.each(['', '   ', '\n'])('takes a reason of blanks for none: %j', (blank) => {
    const claimed = { ...fixed, status: 'not_affected', impact_statement: blank }
    expect(readStatements([claimed]).problems).toMatchObject([
      { why: expect.stringMatching(/without a justification/) },
    ])
    const affected = { ...fixed, status: 'affected', action_statement: blank }
    expect(readStatements([affected]).states).toMatchObject([{ state: 'affected', actionStatement: null }])
  })

  it('compares times of different offsets, and takes the time of the document for a statement without one', () => {
    const affected = { ...fixed, status: 'affected', action_statement: 'x' }
    const earlier = { ...fixed, timestamp: '2026-01-01T00:30:00.5+02:00' }
    const later = { ...affected, timestamp: '2025-12-31T23:00:00Z' }
    for (const statements of [
      [earlier, later],
      [later, earlier],
    ])
      expect(readStatements(statements).states).toMatchObject([{ state: 'affected' }])
    expect(readStatements([affected, earlier], '2026-02-01T00:00:00Z').states).toMatchObject([{ state: 'affected' }])
  })

  it('takes the newer of two statements about the same CVE and product', () => {
    const older = { ...fixed, timestamp: '2026-01-01T00:00:00Z' }
    const newer = { ...fixed, status: 'affected', action_statement: 'x', timestamp: '2026-02-01T00:00:00Z' }
    expect(readStatements([newer, older]).states).toMatchObject([{ state: 'affected' }])
    expect(readStatements([newer, older]).problems).toMatchObject([{ index: 1, isLeftOut: false }])
  })
})
