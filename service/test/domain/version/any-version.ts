// Random versions for each scheme: realistic ones, and ones that differ in details that implementations get wrong. The
// alphabets are small, so that many pairs of versions have a common prefix.
import fc from 'fast-check'
import type { SchemeName } from '../../../src/domain/version/schemes.ts'

const NUMBERS = ['0', '1', '2', '3', '9', '10', '11', '19', '100', '2023', '20230101', '4294967296']
const PADDED = ['00', '01', '010', '007']

const number = fc.constantFrom(...NUMBERS)
const paddedNumber = fc.constantFrom(...NUMBERS, ...PADDED)
const dotted = (min: number, max: number, part = number) =>
  fc.array(part, { minLength: min, maxLength: max }).map((parts) => parts.join('.'))
const maybe = (value: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), value)
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((each) => each.join(''))
/** Draws pieces from a list and joins them without a separator. */
const pieces = (all: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...all), { maxLength }).map((each) => each.join(''))

const label = fc.oneof(number, fc.constantFrom('alpha', 'beta', 'rc', 'RC', 'a', 'b', 'rc1', 'x-1', '-', '-1', '0a'))
const labels = fc.array(label, { minLength: 1, maxLength: 3 }).map((each) => each.join('.'))
const metadata = fc.constantFrom('', '', '', '+1', '+build.5', '+incompatible')
const semver = joined(
  dotted(3, 3, fc.constantFrom('0', '1', '2', '10', '11')),
  maybe(labels.map((each) => `-${each}`)),
  metadata,
)

export const ANY_VERSION: Readonly<Record<SchemeName, fc.Arbitrary<string>>> = {
  apk: joined(
    dotted(1, 4, paddedNumber),
    fc.constantFrom('', '', '', 'a', 'b', 'z'),
    fc
      .array(
        joined(fc.constantFrom('_alpha', '_beta', '_pre', '_rc', '_cvs', '_svn', '_git', '_hg', '_p'), maybe(number)),
        {
          maxLength: 2,
        },
      )
      .map((each) => each.join('')),
    fc.constantFrom('', '', '', '~12ab', '~12ac'),
    maybe(number.map((each) => `-r${each}`)),
  ),
  composer: fc.oneof(
    joined(
      fc.constantFrom('', '', 'v'),
      dotted(1, 4, fc.constantFrom('0', '1', '2', '10', '01', '2023')),
      fc.constantFrom('', '', '-', '.', '_'),
      maybe(
        joined(
          fc.constantFrom('alpha', 'beta', 'RC', 'rc', 'a', 'b', 'p', 'pl', 'patch'),
          fc.constantFrom('', '1', '2', '10', '.1', '-2', '1.2'),
        ),
      ),
      fc.constantFrom('', '', '', '-dev', '.dev', 'dev'),
      fc.constantFrom('', '', '+meta'),
    ),
    joined(dotted(1, 3), fc.constantFrom('.x-dev', '.X-dev', '.*-dev', '.x.x-dev', '-dev')),
    joined(
      fc.constantFrom('2023', '2010'),
      pieces(['-01', '.02', '10', ':30', '.9'], 4),
      fc.constantFrom('', '', '-p1', '-beta2'),
    ),
  ),
  deb: joined(
    fc.constantFrom('', '', '', '0:', '1:', '2:', '01:'),
    number,
    pieces(
      [...NUMBERS, ...PADDED, '.', '.', '.', '+', '~', '~', '-', 'a', 'b', 'Z', 'rc', 'dfsg', 'git', '~rc', '+deb12u'],
      7,
    ),
    fc.constantFrom('', '', '-1', '-0', '-2ubuntu1', '-1~bpo11+1', '-1+deb12u2', '-0.1', '-10'),
  ),
  gem: fc.oneof(
    joined(
      dotted(1, 4, paddedNumber),
      maybe(
        joined(
          fc.constantFrom('.', '-', ''),
          fc.constantFrom('a', 'b', 'pre', 'rc', 'beta', 'RC'),
          maybe(joined(fc.constantFrom('.', ''), number)),
        ),
      ),
    ),
    joined(number, pieces(['.1', '.0', '.a', '.b', '.rc1', 'a', 'b2', '-1'], 5)),
  ),
  generic: fc.oneof(
    joined(
      fc.constantFrom('', '', '', 'v', 'R', 'r', 'ios_'),
      dotted(1, 4, paddedNumber),
      pieces(
        [
          '.',
          '-',
          '_',
          '(',
          ')',
          ' ',
          '+',
          '~',
          'a',
          'k',
          'h3',
          '-h1',
          'p1',
          'rc1',
          '-rc2',
          'beta',
          'dev',
          'sp1',
          'I7',
          'foo',
          '1',
          '0',
          '.0',
        ],
        4,
      ),
    ),
    dotted(1, 4, paddedNumber),
  ),
  go: fc.oneof(
    joined(fc.constantFrom('', 'v'), semver),
    fc.constantFrom(
      'v1',
      'v1.2',
      '1.21rc2',
      'go1.21',
      '1.21.3',
      'go1.20.1',
      'go1.21beta1',
      'v0.0.0-20190311183353-d8887717615a',
    ),
  ),
  maven: fc.oneof(
    joined(
      dotted(1, 4, paddedNumber),
      fc.constantFrom('', '-', '.', '-0-', '.0.'),
      fc.constantFrom(
        '',
        '1',
        'alpha1',
        'alpha-1',
        'a1',
        'b',
        'm2',
        'rc1',
        'RC2',
        'cr',
        'SNAPSHOT',
        'ga',
        'Final',
        'release',
        'sp',
        'sp2',
        'jre8',
        'x',
        'redhat-1',
      ),
    ),
    joined(number, pieces(['.', '-', '1', '0', '2', 'a', 'x', 'rc', 'alpha', 'sp', 'final', 'foo', '.1', '-1'], 6)),
  ),
  nuget: joined(
    dotted(1, 4, fc.constantFrom('0', '1', '2', '10', '01')),
    maybe(labels.map((each) => `-${each}`)),
    metadata,
  ),
  pep440: joined(
    fc.constantFrom('', '', '', 'v', '1!', '0!'),
    dotted(1, 4, paddedNumber),
    maybe(
      joined(
        fc.constantFrom('', '.', '-', '_'),
        fc.constantFrom('a', 'b', 'rc', 'c', 'alpha', 'BETA', 'pre', 'preview'),
        fc.constantFrom('', '0', '1', '.2', '10'),
      ),
    ),
    fc.constantFrom('', '', '', '.post1', '-2', 'post', '.rev3', '-r4'),
    fc.constantFrom('', '', '', '.dev0', '.dev1', 'dev', '-dev2'),
    fc.constantFrom('', '', '', '+1', '+ubuntu.1', '+ubuntu-2', '+1.abc', '+01'),
  ),
  rpm: joined(
    fc.constantFrom('', '', '', '0:', '1:', '2:'),
    number,
    pieces([...NUMBERS, ...PADDED, '.', '.', '.', '_', '+', '~', '^', 'a', 'B', 'rc', 'git', '~rc', '^git'], 6),
    fc.constantFrom('', '', '-1', '-1.el8', '-1.el9', '-2.el8_4.1', '-0.1.rc1', '-10', '-1~bootstrap', '-1^2'),
  ),
  semver,
}

/**
 * Random pairs of versions. Half of the second versions begin like the first one and end like another version, so they
 * may not be valid versions in the scheme.
 */
export function anyPair(scheme: SchemeName): fc.Arbitrary<readonly [string, string]> {
  const version = ANY_VERSION[scheme]
  const cut = fc.integer({ min: 1, max: 12 })
  const crossed = fc
    .tuple(version, version, cut, cut)
    .map(([a, b, end, start]) => [a, a.slice(0, end) + b.slice(start)] as const)
  return fc.oneof(fc.tuple(version, version), crossed)
}
