import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../src/pages/explorer/csv.ts'
import { listProducts } from '../../src/pages/explorer/products.ts'
import { formatQuery } from '../../src/pages/explorer/query-texts.ts'
import type { Row } from '../../src/pages/explorer/row.ts'

const HOSTILE = `it's "$HOME" \`id\` $(id) -x`

describe('The search as a command', () => {
  it('is a curl call with one parameter per line', () => {
    expect(formatQuery('curl', { q: 'fortinet ssl', severity: ['critical', 'high'], kev: true })).toBe(
      `curl --get "$VIS_URL/api/v1/cves" --header "X-API-Key: $VIS_API_KEY" \\
  --data-urlencode 'q=fortinet ssl' \\
  --data severity=critical,high \\
  --data kev=true`,
    )
  })

  it('sends a name with a comma as a parameter of its own', () => {
    expect(formatQuery('curl', { product: ['safari', 'ios,_ipados'] })).toContain(
      '--data product=safari \\\n  --data product=ios,_ipados',
    )
  })

  it("uses visctl's own option names", () => {
    expect(formatQuery('visctl', { q: 'log4j', kev: false, epss_min: 0.5, include: ['enrichment'] })).toBe(
      `visctl search --q=log4j \\
  --no-kev \\
  --epss-min 0.5`,
    )
  })

  it('is TypeScript code with the same filters', () => {
    const text = formatQuery('typescript', { q: HOSTILE, severity: ['low'] })

    expect(text).toContain(
      "createClient({ url: process.env.VIS_URL ?? '', apiKey: process.env.VIS_API_KEY ?? '' })\nconst cves = ",
    )
    expect(text).toContain(`  q: ${JSON.stringify(HOSTILE)},\n  severity: ["low"],`)
  })

  it.each([
    ['curl', 'curl', 5],
    ['visctl', 'visctl', 1],
  ] as const)('quotes search words so that a shell passes them to %s unchanged', (language, program, index) => {
    // The shell replaces the program by printf, which prints each argument on a line of its own.
    const command = formatQuery(language, { q: HOSTILE }).replace(program, String.raw`printf '%s\n'`)
    const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n')

    expect(lines[index]).toContain(`q=${HOSTILE}`)
  })
})

const row = (values: Partial<Row>): Row => ({ cve_id: 'CVE-2026-0001', ...values })

describe('CSV of the loaded rows', () => {
  it('has a header, one line per row and a byte order mark', () => {
    const lines = toCsv([row({ severity: 9.8, status: 'Analyzed' })]).split('\r\n')

    expect(lines[0]).toMatch(/^\u{FEFF}cve_id,published,modified,severity,status,/u)
    expect(lines[1]).toMatch(/^CVE-2026-0001,,,9\.8,Analyzed,/)
    expect(lines).toHaveLength(3)
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '|calc', ' =1', '\t=1', '\r\n=1', '＝1', '\u{0}=1'])(
    'marks %j as text, because a spreadsheet would run it as a formula',
    (description) => {
      expect(toCsv([row({ description })])).toContain(`'${description}`)
    },
  )

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; @SUM(A1);-1', "a; '@SUM(A1);'-1"],
    ['a;"=1', `a;""'=1`],
  ])('marks the formula after a semicolon in %j as text', (description, expected) => {
    expect(toCsv([row({ description })])).toContain(expected)
  })

  it('quotes commas, quotation marks and line breaks', () => {
    expect(toCsv([row({ description: 'a, "b"\nc' })])).toContain('"a, ""b""\nc"')
  })
})

describe('Products of a row', () => {
  const match = (criteria: string, vulnerable = true) => ({ criteria, vulnerable })

  it('include each vulnerable product once, without the vendor if the name repeats it', () => {
    const cpe = [
      match('cpe:2.3:a:apache:http_server:2.4.49:*:*:*:*:*:*:*'),
      match('cpe:2.3:a:apache:http_server:2.4.50:*:*:*:*:*:*:*'),
      match('cpe:2.3:a:jenkins:jenkins:*:*:*:*:*:*:*:*'),
      match(String.raw`cpe:2.3:a:acme:a\:b:*:*:*:*:*:*:*:*`),
      match('cpe:2.3:o:linux:linux_kernel:-:*:*:*:*:*:*:*', false),
    ]

    expect(listProducts(row({ cpe }))).toEqual(['Apache HTTP Server', 'Jenkins', 'Acme A:b'])
  })

  it('start with the product that CISA names in KEV, as CISA spells it', () => {
    const cpe = [
      match('cpe:2.3:a:fortinet:fortiproxy:*:*:*:*:*:*:*:*'),
      match('cpe:2.3:o:fortinet:fortios:*:*:*:*:*:*:*:*'),
    ]
    const kev = { vendorProject: 'Fortinet', product: 'FortiOS' } as NonNullable<Row['kev']>

    expect(listProducts(row({ cpe, kev }))).toEqual(['Fortinet FortiOS', 'Fortinet FortiProxy'])
    expect(listProducts(row({ cpe, kev: { ...kev, product: 'Multiple Products' } }))).toEqual([
      'Fortinet FortiProxy',
      'Fortinet FortiOS',
    ])
  })

  it('are spelled as the source of a fixed version spells them', () => {
    const cpe = [match('cpe:2.3:o:acmenetworks:x-os:*:*:*:*:*:*:*:*')]
    const fixes = [{ vendor: 'Acme Networks', product: 'xOS' }] as unknown as NonNullable<Row['fixes']>

    expect(listProducts(row({ cpe, fixes }))).toEqual(['Acme Networks xOS'])
  })

  it("use CISA's name if no source gives a CPE", () => {
    const kev = { vendorProject: 'Acme', product: 'Gateway' } as NonNullable<Row['kev']>

    expect(listProducts(row({ cpe: [], kev }))).toEqual(['Acme Gateway'])
    expect(listProducts(row({ kev: { ...kev, product: 'Acme Gateway' } }))).toEqual(['Acme Gateway'])
    expect(listProducts(row({}))).toEqual([])
  })
})
