import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readComponent } from '../../../src/domain/component/component.ts'
import { parseCpe } from '../../../src/domain/cpe/cpe.ts'
import { parsePurl } from '../../../src/domain/purl/parse-purl.ts'
import { compileScope, nameVersion, parseScope } from '../../../src/domain/triage/scope.ts'

function read(text: string, versions = '') {
  const scope = parseScope(text, versions)
  if ('error' in scope) throw new Error(scope.error)
  return scope
}

function purlComponent(text: string) {
  const purl = parsePurl(text)
  if ('error' in purl) throw new Error(purl.error)
  return readComponent({ purl })
}

const cpeComponent = (text: string) => readComponent({ cpe: parseCpe(text) })

describe('parseScope', () => {
  it.each([
    ['*', '*', ''],
    ['pkg:npm/%40angular/core', 'pkg:npm/%40angular/core', ''],
    ['pkg:npm/lodash@4.17.20', 'pkg:npm/lodash', '=4.17.20'],
    [
      'pkg:deb/debian/libssl3@3.0.1?arch=amd64&distro=debian-12&upstream=openssl',
      'pkg:deb/debian/openssl?distro=debian-12',
      '=3.0.1',
    ],
    ['CPE:2.3:a:Apache:http_server:2.4.59:*:*:*:*:*:x64:*', 'cpe:2.3:a:apache:http_server:*:*:*:*:*:*:*:*', '=2.4.59'],
  ])('brings %s to its normal form', (sent, scope, versions) => {
    expect(read(sent)).toMatchObject({ scope, versions })
    expect(read(scope, versions)).toEqual(read(sent))
  })

  it.each([
    ['lodash', /must be \*/],
    ['pkg:npm', /package URL/],
    ['cpe:2.3:a:*:http_server:*:*:*:*:*:*:*:*', /must be \*/],
    ['cpe:2.3:a:apache:http_server:-:*:*:*:*:*:*:*', /not -/],
    ['pkg:rpmmod/redhat/nodejs:20/npm', /module stream/],
    ['pkg:deb/debian/openssl?distro=plan9', /not known/],
    ['pkg:npm/lodash?vers=vers:npm/<4', /version_range/],
    ['pkg:npm/lodash?VERS=vers:npm/<4', /version_range/],
    ['pkg:npm/lodash?arch=x&%76ers=vers:npm/<4', /version_range/],
    ['pkg:golang/github.com/aws/aws-sdk-go-v2#service/s3', /subpath/],
    ['pkg:golang/github.com/aws/aws-sdk-go-v2@1.0?arch=x#service/s3', /subpath/],
    ['cpe:2.3:a:vendor:product:*:sp1:*:*:*:*:*:*', /beside the update/],
  ])('refuses %s', (sent, error) => {
    expect(parseScope(sent)).toMatchObject({ error: expect.stringMatching(error) })
  })

  it.each(['=\ud800', '>=1.0|<\udfff', '=\0'])('refuses versions that cannot be stored: %j', (versions) => {
    expect(parseScope('pkg:npm/lodash', versions)).toMatchObject({ error: expect.stringMatching(/version_range/) })
  })

  it('names a single version as purl and CPE name do', () => {
    expect(nameVersion(read('pkg:deb/debian/openssl@1:3.0?distro=debian-12'))).toBe(
      'pkg:deb/debian/openssl@1:3.0?distro=debian-12',
    )
    expect(nameVersion(read('cpe:2.3:o:vendor:product:11.1:h1:*:*:*:*:*:*'))).toBe(
      'cpe:2.3:o:vendor:product:11.1:h1:*:*:*:*:*:*',
    )
    expect(nameVersion(read('pkg:npm/lodash', '<2'))).toBeUndefined()
  })
})

describe('compileScope', () => {
  it.each([
    ['pkg:npm/lodash', '', 'pkg:npm/lodash@1.0', true],
    ['pkg:npm/lodash', '', 'pkg:npm/lodash', true],
    ['pkg:npm/lodash', '<2.0.0', 'pkg:npm/lodash', false],
    ['pkg:npm/lodash', '<2.0.0', 'pkg:npm/lodash@2.0.0-rc.1', true],
    ['pkg:npm/lodash', '<2.0.0', 'pkg:npm/lodash@unknown', false],
    ['pkg:npm/lodash', '', 'pkg:npm/lodash.merge@1.0', false],
    ['pkg:npm/lodash', '', 'pkg:pypi/lodash@1.0', false],
    ['pkg:npm/core', '', 'pkg:npm/%40angular/core@1.0', false],
    ['pkg:deb/debian/openssl', '', 'pkg:deb/ubuntu/openssl@3.0', false],
    ['pkg:deb/debian/openssl?distro=debian-12', '', 'pkg:deb/debian/openssl@3.0?distro=bookworm', true],
    ['pkg:deb/debian/openssl?distro=debian-12', '', 'pkg:deb/debian/openssl@3.0?distro=debian-11', false],
    ['pkg:deb/debian/openssl?distro=debian-12', '', 'pkg:deb/debian/openssl@3.0', false],
    ['pkg:maven/org.a/b', '=1.0', 'pkg:maven/org.a/b@1.0.0', true],
  ])('says whether %s %s contains %s: %s', (scope, versions, purl, isInside) => {
    expect(compileScope(read(scope, versions))(purlComponent(purl))).toBe(isInside)
  })

  it('contains no component whose name was guessed, and none of another edition', () => {
    const isInside = compileScope(read('cpe:2.3:a:vendor:product:*:*:*:*:pro:*:*:*'))
    const component = cpeComponent('cpe:2.3:a:vendor:product:1.0:*:*:*:pro:*:*:*')
    expect(isInside(component)).toBe(true)
    expect(isInside({ ...component, isGuessed: true })).toBe(false)
    expect(isInside(cpeComponent('cpe:2.3:a:vendor:product:1.0:*:*:*:lite:*:*:*'))).toBe(false)
    expect(isInside(cpeComponent('cpe:2.3:a:vendor:product:1.0:*:*:*:*:*:*:*'))).toBe(false)
  })

  it('contains nothing if the stored text cannot be read', () => {
    const component = purlComponent('pkg:npm/lodash@1.0.0')
    for (const [scope, versions] of [
      ['*', ''],
      ['x', ''],
      ['pkg:npm/lodash', 'x'],
    ] as const)
      expect(compileScope({ scope, versions })(component)).toBe(false)
  })

  it('contains only components of its name whose version lies in its range', () => {
    const versionOf = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3))
    const nameOf = fc.constantFrom(
      'pkg:npm/a',
      'pkg:npm/b',
      'pkg:npm/%40a/b',
      'pkg:cargo/a',
      'pkg:deb/debian/a',
      'pkg:maven/a/b',
    )
    const toNumber = ([major, minor, patch]: readonly number[]) => (major ?? 0) * 100 + (minor ?? 0) * 10 + (patch ?? 0)
    const operators = fc.record({ low: fc.constantFrom('', '>', '>='), high: fc.constantFrom('', '<', '<=') })
    fc.assert(
      fc.property(
        nameOf,
        nameOf,
        versionOf,
        fc.tuple(versionOf, versionOf),
        operators,
        (name, other, at, ends, signs) => {
          const [low, high] = ends
          const range = [signs.low && `${signs.low}${low.join('.')}`, signs.high && `${signs.high}${high.join('.')}`]
          const isInside = compileScope(read(name, range.filter(Boolean).join('|')))
          const [value, from, to] = [at, low, high].map(toNumber) as [number, number, number]
          const isExpected =
            name === other &&
            (signs.low === '' || value > from || (signs.low === '>=' && value === from)) &&
            (signs.high === '' || value < to || (signs.high === '<=' && value === to))
          expect(isInside(purlComponent(`${other}@${at.join('.')}`))).toBe(isExpected)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
