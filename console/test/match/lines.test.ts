import { describe, expect, it } from 'vitest'
import { MAX_LINES, readLines, replaceLine } from '../../src/pages/match/lines.ts'

const readOne = (line: string) => readLines(line).lines[0]?.component
const readIssue = (line: string) => readLines(line).issues[0]?.message

describe('Pasted lines', () => {
  it.each([
    ['pkg:npm/lodash@4.17.20', { purl: 'pkg:npm/lodash@4.17.20' }],
    ['  PKG:deb/debian/openssl@3.0?distro=debian-12\t', { purl: 'PKG:deb/debian/openssl@3.0?distro=debian-12' }],
    ['cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*', { cpe: 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*' }],
    ['cpe:/a:apache:log4j:2.14.1', { cpe: 'cpe:/a:apache:log4j:2.14.1' }],
    ['openssl 1.0.1f', { product: 'openssl', version: '1.0.1f' }],
    ['apache log4j 2.14.1', { vendor: 'apache', product: 'log4j', version: '2.14.1' }],
    ['apache http  server 2.4.49', { vendor: 'apache', product: 'http server', version: '2.4.49' }],
  ])('reads %j', (line, component) => {
    expect(readOne(line)).toEqual(component)
  })

  it('skips empty lines and comments, and keeps the line numbers', () => {
    const { lines, issues } = readLines('# web servers\r\n\r\nopenssl 1.0.1f\n\nlog4j\n')

    expect(lines.map(({ line }) => line)).toEqual([3])
    expect(issues.map(({ line }) => line)).toEqual([5])
  })

  it.each([
    ['lodash@4.17.20', /pkg:npm\/lodash@4\.17\.20/],
    ['apache log4j', /version is missing/],
    ['log4j', /version is missing/],
    ['pkg:npm/lodash @4.17.20', /no blank/],
    ['pkg:npm', /type and a name/],
    [`pkg:npm/${'a'.repeat(600)}`, /at most 512/],
    ['cpe:2.3:a:apache', /vendor and a product/],
    [`apache ${'a'.repeat(200)} 1.0`, /at most 128/],
  ])('says what is wrong with %j', (line, message) => {
    expect(readOne(line)).toBeUndefined()
    expect(readIssue(line)).toMatch(message)
  })

  it('names the first line beyond the maximum', () => {
    const text = Array.from({ length: MAX_LINES + 2 }, (_, index) => `log4j 2.${index}`).join('\n')

    expect(readLines(text).issues).toEqual([
      { line: MAX_LINES + 1, message: expect.stringContaining(`At most ${MAX_LINES} components`) },
    ])
  })

  it('replaces one line and keeps the others', () => {
    expect(replaceLine('a 1\r\nb 2\nc 3', 2, 'x 2')).toBe('a 1\nx 2\nc 3')
  })
})
