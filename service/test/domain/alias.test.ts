import { describe, expect, it } from 'vitest'
import { buildPageUrl, HELD_FORMS, parseAlias, toCveOfGcve, UNHELD_FORMS } from '../../src/domain/source/alias.ts'

describe('CVE aliases', () => {
  it.each([...HELD_FORMS, ...UNHELD_FORMS])('are recognised in the form $name, ignoring case', (form) => {
    const { example, name } = form
    expect(example.startsWith(name)).toBe(true)
    for (const text of [example, example.toLowerCase(), example.toUpperCase()]) expect(parseAlias(text)).toBe(example)
  })

  it.each([
    ['https://osv.example/{id}', 'ALSA-2021:5226', 'https://osv.example/ALSA-2021%3A5226'],
    ['https://errata.example/{+id}', 'RHSA-2021:5127', 'https://errata.example/RHSA-2021:5127'],
    ['https://help.example/{digits}', 'KB5008212', 'https://help.example/5008212'],
  ])('with the template %s link to the page %s', (page, id, url) => {
    expect(buildPageUrl(page, id)).toBe(url)
  })

  it('have the spelling used by their issuer', () => {
    expect(parseAlias('ghsa-JFH8-c2jp-5V3Q')).toBe('GHSA-jfh8-c2jp-5v3q')
    expect(parseAlias('rhba-2021:5127')).toBe('RHBA-2021:5127')
    expect(parseAlias('zdi-can-12345')).toBe('ZDI-CAN-12345')
    expect(parseAlias('bit-NGINX-2021-23017')).toBe('BIT-nginx-2021-23017')
  })

  it.each([
    '',
    'CVE-2021-44228',
    'GHSA-jfh8-c2jp',
    'GHSA-jfh8-c2jp-5v3q-5v3q',
    'GHSA-aaaa-bbbb-cccc',
    'RHSA-2021-5127',
    'KB12',
    'ZDI-2021-1234',
    'JVNDB-2021-5429',
    'EUVD-21-1',
    'GCVE-2021-44228',
    ' GHSA-jfh8-c2jp-5v3q',
    'GHSA-jfh8-c2jp-5v3q\n',
    'ſHSA-jfh8-c2jp-5v3q',
    'KB５００８２１２',
    `BIT-${'a'.repeat(101)}`,
    `GHSA${'-jfh8'.repeat(10_000)}`,
  ])('do not include %j', (text) => {
    expect(parseAlias(text)).toBeUndefined()
  })

  it('from the GCVE authority 0 name the CVE with the same number', () => {
    const toCve = (text: string) => {
      const alias = parseAlias(text)
      return alias && toCveOfGcve(alias)
    }
    expect(toCve('gcve-0-2021-44228')).toBe('CVE-2021-44228')
    expect(toCve('GCVE-1-2021-44228')).toBeUndefined()
    expect(toCve('GHSA-jfh8-c2jp-5v3q')).toBeUndefined()
    expect(toCve('GCVE-0-2021-044228')).toBeUndefined()
  })
})
