import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CpeParts, cpeOf, formatCpe, parseCpe } from '../../src/domain/cpe.ts'
import { isCpeValue, literalValue, textOfValue } from '../../src/domain/cpe-value.ts'

const REST = '*:*:*:*:*:*:*'

describe('A CPE 2.3 name', () => {
  it('has eleven attributes', () => {
    expect(parseCpe('cpe:2.3:a:acme:anvil:1.0:sp1:-:en:pro:linux:x64:lts')).toEqual({
      part: 'a',
      vendor: 'acme',
      product: 'anvil',
      version: '1.0',
      update: 'sp1',
      edition: '-',
      language: 'en',
      softwareEdition: 'pro',
      targetSoftware: 'linux',
      targetHardware: 'x64',
      other: 'lts',
    })
  })

  it('has backslashes before punctuation, which are not part of the value', () => {
    expect(parseCpe(`cpe:2.3:a:at\\&t:connect\\:direct:15.0\\(1\\)s\\!:${REST}`)).toMatchObject({
      vendor: 'at&t',
      product: 'connect:direct',
      version: '15.0(1)s!',
    })
  })

  it('may have a backslash in a value: the colon behind it separates', () => {
    const text = `cpe:2.3:a:acme\\\\:crud\\\\edit:1:${REST}`
    expect(parseCpe(text)).toMatchObject({ vendor: 'acme\\\\', product: 'crud\\\\edit', version: '1' })
    expect(textOfValue('crud\\\\edit')).toBe('crud\\edit')
    expect(formatted(text)).toBe(text)
  })

  it('tells wildcards and "not applicable" from the same characters meant as themselves', () => {
    const text = `cpe:2.3:a:\\-:a\\*b:6.4.*:-:??x:*:*:*:*:*`
    const parts = parseCpe(text)
    expect(parts).toMatchObject({ vendor: '\\-', product: 'a\\*b', version: '6.4.*', update: '-', edition: '??x' })
    expect([parts?.vendor, parts?.product, parts?.update].map((each) => textOfValue(each ?? ''))).toEqual([
      '-',
      'a*b',
      undefined,
    ])
    expect(formatted(text)).toBe(text)
  })

  it.each([
    ['in any letter case', `CPE:2.3:O:microsoft:windows_server_20H2:*:${REST}`, 'o:microsoft:windows_server_20h2:*'],
    ['without backslashes where there should be some', `cpe:2.3:a:at&t:u(1):1:${REST}`, 'a:at\\&t:u\\(1\\):1'],
    ['with backslashes where there need not be any', `cpe:2.3:a:a\\.b:c\\-d:1\\.0:${REST}`, 'a:a.b:c-d:1.0'],
  ])('is understood %s, and written as it should be', (_, text, written) => {
    expect(formatted(text)).toBe(`cpe:2.3:${written}:${REST}`)
  })

  it.each([
    ['with twelve attributes, as where a colon has no backslash', `cpe:2.3:a:ibm:connect:direct:6.0:${REST}`],
    ['with ten attributes', 'cpe:2.3:a:acme:anvil:1.0:*:*:*:*:*:*'],
    ['with an empty attribute', `cpe:2.3:a:acme::1.0:${REST}`],
    ['with an empty attribute in place of one that is missing', 'cpe:2.3:a:acme:a\\:b::1.0:*:*:*:*:*:*'],
    ['of a part that there is not', `cpe:2.3:x:acme:anvil:1.0:${REST}`],
    ['with a wildcard in the middle', `cpe:2.3:a:acme:an*vil:1.0:${REST}`],
    ['with two wildcards at one end', `cpe:2.3:a:acme:anvil**:1.0:${REST}`],
    ['with space in it', `cpe:2.3:a:acme:big anvil:1.0:${REST}`],
    ['with a letter that is not ASCII', `cpe:2.3:a:acmé:anvil:1.0:${REST}`],
    ['with a line break behind it', `cpe:2.3:a:acme:anvil:1.0:${REST}\n`],
    ['with a backslash that quotes nothing', 'cpe:2.3:a:acme:anvil:1.0:*:*:*:*:*:*:\\'],
    ['that never ends', `cpe:2.3:a:${'a'.repeat(100_000)}:anvil:1.0:${REST}`],
    ['of another version', `cpe:2.4:a:acme:anvil:1.0:${REST}`],
    ['that is empty', ''],
  ])('is never one %s', (_, text) => {
    expect(parseCpe(text)).toBeUndefined()
  })

  it('is the same after it was written and read', () => {
    fc.assert(
      fc.property(parts, (each) => {
        expect(parseCpe(formatCpe(each))).toEqual(each)
      }),
    )
  })

  it('is written the same after it was read and written', () => {
    fc.assert(
      fc.property(parts, (each) => {
        expect(formatted(formatCpe(each))).toBe(formatCpe(each))
      }),
    )
  })
})

describe('A CPE 2.2 URI', () => {
  it.each([
    ['cpe:/o:redhat:enterprise_linux:8', 'o:redhat:enterprise_linux:8:*:*:*:*:*:*:*'],
    ['cpe:/a:redhat:enterprise_linux:8::appstream', 'a:redhat:enterprise_linux:8:*:appstream:*:*:*:*:*'],
    ['cpe:/a:acme:anvil:-:sp1::en', 'a:acme:anvil:-:sp1:*:en:*:*:*:*'],
    ['cpe:/a:acme', 'a:acme:*:*:*:*:*:*:*:*:*'],
    ['cpe:/a:at%26t:u%3a%2f:1%2b2~3', 'a:at\\&t:u\\:\\/:1\\+2\\~3:*:*:*:*:*:*:*'],
    ['cpe:/a:acme:an%2avil:6.%02:%01%01', 'a:acme:an\\*vil:6.*:??:*:*:*:*:*:*'],
    ['cpe:/a:acme:a%2db:%2d', 'a:acme:a-b:\\-:*:*:*:*:*:*:*'],
    ['cpe:/a:acme:anvil:1:2:~~pro~linux~x64~', 'a:acme:anvil:1:2:*:*:pro:linux:x64:*'],
    ['CPE:/A:Acme:Anvil', 'a:acme:anvil:*:*:*:*:*:*:*:*'],
  ])('is read as 2.3: %s', (uri, written) => {
    expect(formatted(uri)).toBe(`cpe:2.3:${written}`)
  })

  it.each([
    ['with eight components', 'cpe:/a:acme:anvil:1:2:3:4:5'],
    ['with a code that is none', 'cpe:/a:acme:anvil%zz'],
    ['with a code cut short', 'cpe:/a:acme:anvil%2'],
    ['with the code of something unprintable', 'cpe:/a:acme:anvil%0a'],
    ['with a backslash', 'cpe:/a:acme:anvil\\'],
    ['of a part that there is not', 'cpe:/x:acme:anvil'],
  ])('is never one %s', (_, uri) => {
    expect(parseCpe(uri)).toBeUndefined()
  })
})

describe('A CPE made of the names that a vendor uses', () => {
  it.each([
    [{ vendor: 'Universal Software Inc.', product: 'E-Municipality' }, 'a:universal_software_inc.:e-municipality:*'],
    [{ vendor: 'AT&T', product: 'U: (one)  two', version: '1.0 (Beta)' }, 'a:at\\&t:u\\:_\\(one\\)_two:1.0_\\(beta\\)'],
    [{ part: 'o', vendor: ' Acme ', product: 'Anvil*', version: 'N/A' } as const, 'o:acme:anvil\\*:*'],
    [{ vendor: 'Société', product: 'Ｆｕｌｌ', version: '-' }, 'a:societe:full:*'],
    [{ vendor: 'Acme\u200b®', product: 'Anvil™ – the “best”’s' }, `a:acme:anvil_-_the_\\"best\\"\\'s:*`],
  ])('is well formed: %j', (name, written) => {
    expect(cpeOf(name)).toBe(`cpe:2.3:${written}:${REST}`)
  })

  it.each([
    ['a placeholder', 'n/a'],
    ['a placeholder in capitals', 'N/A'],
    ['empty', ''],
    ['blank', '  '],
    ['unknown', 'Unknown'],
    ['unspecified', 'unspecified'],
    ['a hyphen', '-'],
    ['a wildcard', '*'],
    ['in letters that CPE has not', '東京'],
    ['endless', 'a'.repeat(3000)],
  ])('is not made where the vendor or the product is %s', (_, name) => {
    expect(cpeOf({ vendor: name, product: 'Anvil' })).toBeUndefined()
    expect(cpeOf({ vendor: 'Acme', product: name })).toBeUndefined()
  })

  it('can be read, whatever the names are, and is written as it was', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (vendor, product, version) => {
        const cpe = cpeOf({ vendor, product, version })
        if (cpe !== undefined) expect(formatted(cpe)).toBe(cpe)
      }),
    )
  })
})

describe('Text that is no CPE', () => {
  it('is undefined or can be written, and never an error', () => {
    const pieces = fc.array(
      fc.oneof(fc.string(), fc.constantFrom(':', '\\', '*', '?', '-', '~', '%', '%0', '%2d', 'a')),
    )
    const prefixes = fc.constantFrom('', 'cpe:/', 'cpe:2.3:', 'cpe:2.3:a:acme:', `cpe:2.3:a:${REST}:*:`)
    fc.assert(
      fc.property(prefixes, pieces, (prefix, garbage) => {
        const read = parseCpe(prefix + garbage.join(''))
        if (read !== undefined) expect(parseCpe(formatCpe(read))).toEqual(read)
      }),
    )
  })
})

function formatted(text: string): string | undefined {
  const read = parseCpe(text)
  return read && formatCpe(read)
}

const literals = fc
  .string({ minLength: 1, unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  .map((text) => literalValue(text.toLowerCase()))
const wildcards = fc.constantFrom('', '*', '?', '??')
const values = fc.oneof(
  fc.constantFrom('*', '-', '?'),
  fc
    .tuple(wildcards, literals, wildcards)
    .map((each) => each.join(''))
    .filter(isCpeValue),
)
const parts: fc.Arbitrary<CpeParts> = fc.record({
  part: fc.constantFrom('a', 'h', 'o', '*', '-'),
  vendor: values,
  product: values,
  version: values,
  update: values,
  edition: values,
  language: values,
  softwareEdition: values,
  targetSoftware: values,
  targetHardware: values,
  other: values,
})
