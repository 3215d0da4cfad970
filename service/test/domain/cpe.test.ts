import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readComponent } from '../../src/domain/component/component.ts'
import { buildCpe, type CpeParts, formatCpe, parseCpe, readEdition } from '../../src/domain/cpe/cpe.ts'
import { escapeCpeValue, isCpeValue, toVendorSpelling, unescapeCpeValue } from '../../src/domain/cpe/cpe-value.ts'

const REST = '*:*:*:*:*:*:*'

describe('CPE parser: CPE 2.3 formatted strings', () => {
  it('parses a CPE 2.3 name into its eleven attributes', () => {
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

  it('removes backslashes before punctuation from values', () => {
    expect(parseCpe(`cpe:2.3:a:at\\&t:connect\\:direct:15.0\\(1\\)s\\!:${REST}`)).toMatchObject({
      vendor: 'at&t',
      product: 'connect:direct',
      version: '15.0(1)s!',
    })
  })

  it('reads a colon after an escaped backslash as a separator', () => {
    const text = `cpe:2.3:a:acme\\\\:crud\\\\edit:1:${REST}`
    expect(parseCpe(text)).toMatchObject({ vendor: 'acme\\\\', product: 'crud\\\\edit', version: '1' })
    expect(unescapeCpeValue('crud\\\\edit')).toBe('crud\\edit')
    expect(reformat(text)).toBe(text)
  })

  it('distinguishes wildcards and "not applicable" from the same literal characters', () => {
    const text = `cpe:2.3:a:\\-:a\\*b:6.4.*:-:??x:*:*:*:*:*`
    const parts = parseCpe(text)
    expect(parts).toMatchObject({ vendor: '\\-', product: 'a\\*b', version: '6.4.*', update: '-', edition: '??x' })
    expect([parts?.vendor, parts?.product, parts?.update].map((each) => unescapeCpeValue(each ?? ''))).toEqual([
      '-',
      'a*b',
      undefined,
    ])
    expect(reformat(text)).toBe(text)
  })

  it.each([
    ['in any letter case', `CPE:2.3:O:microsoft:windows_server_20H2:*:${REST}`, 'o:microsoft:windows_server_20h2:*'],
    ['without required backslashes', `cpe:2.3:a:at&t:u(1):1:${REST}`, 'a:at\\&t:u\\(1\\):1'],
    ['with needless backslashes', `cpe:2.3:a:a\\.b:c\\-d:1\\.0:${REST}`, 'a:a.b:c-d:1.0'],
  ])('parses a CPE name %s and formats it as the standard requires', (_, text, written) => {
    expect(reformat(text)).toBe(`cpe:2.3:${written}:${REST}`)
  })

  it.each([
    ['with twelve attributes because a colon is not escaped', `cpe:2.3:a:ibm:connect:direct:6.0:${REST}`],
    ['with ten attributes', 'cpe:2.3:a:acme:anvil:1.0:*:*:*:*:*:*'],
    ['with an empty attribute', `cpe:2.3:a:acme::1.0:${REST}`],
    ['with an empty attribute and one attribute missing', 'cpe:2.3:a:acme:a\\:b::1.0:*:*:*:*:*:*'],
    ['with an unknown part', `cpe:2.3:x:acme:anvil:1.0:${REST}`],
    ['with a wildcard in the middle', `cpe:2.3:a:acme:an*vil:1.0:${REST}`],
    ['with two wildcards at one end', `cpe:2.3:a:acme:anvil**:1.0:${REST}`],
    ['with a space', `cpe:2.3:a:acme:big anvil:1.0:${REST}`],
    ['with a non-ASCII letter', `cpe:2.3:a:acmé:anvil:1.0:${REST}`],
    ['with a line break at the end', `cpe:2.3:a:acme:anvil:1.0:${REST}\n`],
    ['with a backslash at the end', 'cpe:2.3:a:acme:anvil:1.0:*:*:*:*:*:*:\\'],
    ['with 100,000 letters', `cpe:2.3:a:${'a'.repeat(100_000)}:anvil:1.0:${REST}`],
    ['with CPE version 2.4', `cpe:2.4:a:acme:anvil:1.0:${REST}`],
    ['that is empty', ''],
  ])('rejects a CPE name %s', (_, text) => {
    expect(parseCpe(text)).toBeUndefined()
  })

  it('parses a formatted CPE name to the same attributes', () => {
    fc.assert(
      fc.property(parts, (each) => {
        expect(parseCpe(formatCpe(each))).toEqual(each)
      }),
    )
  })

  it('formats a parsed CPE name to the same text', () => {
    fc.assert(
      fc.property(parts, (each) => {
        expect(reformat(formatCpe(each))).toBe(formatCpe(each))
      }),
    )
  })
})

describe('CPE parser: CPE 2.2 URIs', () => {
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
  ])('converts %s to CPE 2.3', (uri, written) => {
    expect(reformat(uri)).toBe(`cpe:2.3:${written}`)
  })

  it.each([
    ['with eight components', 'cpe:/a:acme:anvil:1:2:3:4:5'],
    ['with an invalid percent escape', 'cpe:/a:acme:anvil%zz'],
    ['with an incomplete percent escape', 'cpe:/a:acme:anvil%2'],
    ['with the escape of an unprintable character', 'cpe:/a:acme:anvil%0a'],
    ['with a backslash', 'cpe:/a:acme:anvil\\'],
    ['with an unknown part', 'cpe:/x:acme:anvil'],
  ])('rejects a URI %s', (_, uri) => {
    expect(parseCpe(uri)).toBeUndefined()
  })
})

describe('CPE edition', () => {
  it.each([
    ['cpe:2.3:a:example:router:1:*:dev:*:*:*:*:*', 'dev'],
    ['cpe:/a:example:router:1::pro', 'pro'],
    ['cpe:2.3:a:example:router:1:*:dev:*:plus:*:*:*', 'plus'],
    ['cpe:2.3:a:example:router:1:*:x86_64:*:*:*:*:*', null],
    ['cpe:2.3:a:example:router:1:*:*:*:*:*:*:*', null],
  ])('of %s is %s', (text, edition) => {
    const cpe = parseCpe(text)
    expect(cpe && readEdition(cpe)).toBe(edition)
    expect(cpe && readComponent({ cpe }).edition).toBe(edition)
  })
})

describe('CPE builder: names from a vendor and a product', () => {
  it.each([
    [{ vendor: 'Universal Software Inc.', product: 'E-Municipality' }, 'a:universal_software_inc.:e-municipality:*'],
    [{ vendor: 'AT&T', product: 'U: (one)  two', version: '1.0 (Beta)' }, 'a:at\\&t:u\\:_\\(one\\)_two:1.0_\\(beta\\)'],
    [{ part: 'o', vendor: ' Acme ', product: 'Anvil*', version: 'N/A' } as const, 'o:acme:anvil\\*:*'],
    [{ vendor: 'Société', product: 'Ｆｕｌｌ', version: '-' }, 'a:societe:full:*'],
    [{ vendor: 'Acme\u200b®', product: 'Anvil™ – the “best”’s' }, `a:acme:anvil_-_the_\\"best\\"\\'s:*`],
  ])('builds a well-formed CPE name from %j', (name, written) => {
    expect(buildCpe(name)).toBe(`cpe:2.3:${written}:${REST}`)
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
    ['written in non-ASCII letters', '東京'],
    ['3,000 letters long', 'a'.repeat(3000)],
  ])('builds no CPE name if the vendor or the product is %s', (_, name) => {
    expect(buildCpe({ vendor: name, product: 'Anvil' })).toBeUndefined()
    expect(buildCpe({ vendor: 'Acme', product: name })).toBeUndefined()
  })

  it('builds CPE names that parseCpe reads and formatCpe formats to the same text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (vendor, product, version) => {
        const cpe = buildCpe({ vendor, product, version })
        if (cpe !== undefined) expect(reformat(cpe)).toBe(cpe)
      }),
    )
  })
})

describe('CPE parser: random text', () => {
  it('never throws, and returns only CPE names that can be formatted and parsed again', () => {
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

function reformat(text: string): string | undefined {
  const read = parseCpe(text)
  return read && formatCpe(read)
}

const literals = fc
  .string({ minLength: 1, unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  .map((text) => escapeCpeValue(text.toLowerCase()))
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

describe('CPE spelling of a vendor', () => {
  it.each([
    ['Fortinet', 'fortinet'],
    ['Fortinet, Inc.', 'fortinet'],
    ['Oracle Corporation', 'oracle'],
    ['Widget Factory (Pty) Ltd', 'widget_factory'],
    ['Soliton Systems K.K', 'soliton_systems'],
    ['Example Electronics Co., Ltd.', 'example_electronics'],
  ])('has no legal form for %s', (name, spelling) => {
    expect(toVendorSpelling(name)).toBe(spelling)
    expect(toVendorSpelling(spelling)).toBe(spelling)
  })

  it.each([
    ['Palo Alto Networks', 'palo_alto_networks'],
    ['Limited Run Games', 'limited_run_games'],
    ['Inc.', 'inc.'],
  ])('keeps every other word of %s', (name, spelling) => {
    expect(toVendorSpelling(name)).toBe(spelling)
  })
})
