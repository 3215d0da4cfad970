import { describe, expect, it } from 'vitest'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { countedNames } from '../../service/test/support/catalog/cve-names.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { given, visctl } = await startVisctlSetup()
await given(
  cve('CVE-2026-0001', {
    score: 9.8,
    products: ['fortinet/fortios'],
    cwes: ['CWE-79', 'CWE-89'],
    aliases: { 'GHSA-jfh8-c2jp-5v3q': 'ghsa' },
  }),
  cve('CVE-2026-0002', { score: 5, products: ['fortinet/fortiweb'], kev: {} }),
  countedNames({ 'CWE-89': 'SQL Injection' }),
)

describe('visctl facets', () => {
  it('prints the number of CVEs for each value, and how many CVEs match', async () => {
    const { code, stdout, stderr } = await visctl(['facets', 'cwe,kev'])
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^FACET +CVES +VALUE$/),
      expect.stringMatching(/^cwe +2 +CWE-79$/),
      expect.stringMatching(/^cwe +1 +CWE-89$/),
      expect.stringMatching(/^kev +1 +false$/),
      expect.stringMatching(/^kev +1 +true$/),
    ])
    expect(stderr).toBe('2 CVEs match.\n')
  })

  it("sends filters, words and --size, and prints the service's response with --json", async () => {
    const { stdout } = await visctl(['facets', 'cwe', 'buffer', '--no-kev', '--size', '1', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      total: 1,
      facets: { cwe: [{ value: 'CWE-79', count: 1 }] },
    })
  })

  it("prints the service's suggestion for an unknown facet", async () => {
    const { code, stderr } = await visctl(['facets', 'severty'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('severity')
  })

  it('rejects search words that are given twice', async () => {
    expect(await visctl(['facets', 'cwe', 'buffer', '--q', 'overflow'])).toMatchObject({ code: 2 })
  })
})

describe('visctl suggest', () => {
  it('prints names with the number of their CVEs and their vendor or title', async () => {
    const { stdout } = await visctl(['suggest', 'product', 'forti'])
    expect(stdout).toMatch(/1 +fortios +fortinet\n +1 +fortiweb +fortinet\n$/)
    expect((await visctl(['suggest', 'cwe', 'sql', 'injection'])).stdout).toMatch(/1 +CWE-89 +SQL Injection\n$/)
    expect((await visctl(['suggest', 'vendor', 'fortient', '--json'])).stdout).toContain('"value": "fortinet"')
  })

  it('says that no name resembles the text, and exits with 1', async () => {
    const { code, stderr } = await visctl(['suggest', 'vendor', 'zzzzzz'])
    expect([code, stderr]).toEqual([1, 'No name begins with this text or resembles it.\n'])
  })

  it('rejects an unknown type of name and a wrong --limit', async () => {
    expect(await visctl(['suggest', 'software', 'forti'])).toMatchObject({ code: 2 })
    expect(await visctl(['suggest', 'product', 'forti', '--limit', '21'])).toMatchObject({ code: 2 })
  })
})

describe('visctl alias', () => {
  it('prints the CVEs of each advisory, and exits with 1 and a message for an unknown one', async () => {
    const { code, stdout, stderr } = await visctl(['alias', 'ghsa-jfh8-c2jp-5v3q', 'EUVD-2021-1'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ALIAS +SOURCE +CVES\nGHSA-jfh8-c2jp-5v3q +ghsa +CVE-2026-0001\n$/)
    expect(stderr).toContain('EUVD and GCVE are not held yet')
  })

  it('prints a list with --json', async () => {
    const { code, stdout } = await visctl(['alias', 'GHSA-jfh8-c2jp-5v3q', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([{ alias: 'GHSA-jfh8-c2jp-5v3q', cve_ids: ['CVE-2026-0001'], source: 'ghsa' }])
  })
})

describe('visctl search with an unknown name', () => {
  it('prints similar names, and keeps standard output for the list', async () => {
    const { code, stdout, stderr } = await visctl([
      'search',
      '--product-vendor',
      'fortnet',
      '--product',
      'zzzz',
      '--json',
    ])
    expect([code, JSON.parse(stdout)]).toEqual([0, []])
    expect(stderr).toContain('No CVE names the vendor fortnet. Did you mean fortinet?\n')
    expect(stderr).toContain('No CVE names the product zzzz.\n')
  })
})
