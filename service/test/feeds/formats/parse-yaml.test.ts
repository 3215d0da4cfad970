import { describe, expect, it } from 'vitest'
import { parseYamlRecord } from '../../../src/feeds/formats/parse-yaml.ts'

const parse = (text: string) => parseYamlRecord(Buffer.from(text))
const errorOf = (text: string | Buffer) => {
  const parsed = parseYamlRecord(Buffer.from(text))
  return 'error' in parsed ? parsed.error : undefined
}

describe('A YAML file', () => {
  it('is read as texts, numbers, lists and maps', () => {
    expect(parse('---\ncve: 2014-2322\ndate: 2014-03-10\nscore: 7.5\nfixed: ~\nversions:\n  - "~> 1.2"\n')).toEqual({
      value: { cve: '2014-2322', date: '2014-03-10', score: 7.5, fixed: null, versions: ['~> 1.2'] },
    })
  })

  it('may have brackets and rows of hyphens in its texts', () => {
    const text = `Title [1] { a }\n${'-'.repeat(200)}\n`
    expect(parse(`text: |\n  ${text.replaceAll('\n', '\n  ')}`)).toEqual({ value: { text } })
  })

  it.each([
    ['an alias', 'a: &x [1]\nb: *x\n', 'aliases'],
    ['a tag', 'a: !ruby/object:Gem::Version {}\n', 'tag'],
    ['a key that is used twice', 'a: 1\na: 2\n', 'unique'],
    ['a key that is not a text', '? [1]\n: 2\n', 'key'],
    ['several documents', 'a: 1\n---\nb: 2\n', 'document'],
    ['brackets that do not end', 'a: [1\n', 'not YAML'],
    ['text that is not UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xff]), 'UTF-8'],
  ])('is rejected for %s', (_, text, reason) => {
    expect(errorOf(text)).toContain(reason)
  })

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['marks', `${'- '.repeat(50_000)}1`],
    ['lines', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('is rejected for %s that nest deeply, soon', (_, text) => {
    const started = performance.now()
    expect(errorOf(text)).toMatch(/levels deep/)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('cannot set the prototype of the record', () => {
    const parsed = parse('__proto__: { isAdmin: true }\n')
    expect('value' in parsed && (parsed.value as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })
})
