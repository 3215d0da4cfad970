// Tests the check of regular expressions: each test writes a small source folder, which recheck then judges.
import { describe, expect, it } from 'vitest'
import { checkRegexes, findExpressions } from '../../../tools/check-regexes.ts'
import { hashExpression } from '../../../tools/linear-expressions.ts'
import { writeTemporaryDirectory } from '../feeds/temporary-files.ts'

async function check(text: string, timeoutMs?: number, record?: ReadonlySet<string>) {
  const root = await writeTemporaryDirectory({ 'service/src/a.ts': text })
  return checkRegexes(root, timeoutMs, record)
}

const readPatterns = (text: string) => findExpressions('a.ts', text).map(({ pattern }) => pattern)

describe('The regular expression check', () => {
  it('accepts linear expressions and counts them', async () => {
    const text = 'export const [a, b] = [/^a+b$/i, /^a+b$/i]\nexport const c = new RegExp("^[0-9]{4}$")\n'

    expect(await check(text)).toEqual({ files: 1, expressions: 3, exemptions: 0, recorded: 0, violations: [] })
  })

  it.each([
    ['a quadratic literal', String.raw`export const a = /^\s*(<|>)\s*([^<>]*?)\s*$/`],
    ['an exponential literal', 'export const a = /^(a+)+$/'],
    [
      'a trailing class that a search may enter anywhere',
      String.raw`export const a = (text: string) => text.replace(/\d+$/, '')`,
    ],
    ['the constant text of new RegExp', `const DIGITS = '[0-9]+'\nexport const a = new RegExp(\`\${DIGITS}$\`)`],
    ['the constant text of RegExp without new', "export const a = RegExp('(x*)*y')"],
  ])('rejects %s and names its position', async (_what, text) => {
    const { violations } = await check(`\n${text}\n`)

    expect(violations).toEqual([expect.stringMatching(/^service\/src\/a\.ts:[23]: \/.* is not linear \(/)])
  })

  it('names every position of the same expression in one violation', async () => {
    const { violations } = await check('export const a = /(x*)*y/\nexport const b = /(x*)*y/\n')

    expect(violations).toEqual([expect.stringMatching(/^service\/src\/a\.ts:1, service\/src\/a\.ts:2: /)])
  })

  it('rejects a RegExp whose text is known only at run time', async () => {
    const { violations } = await check('export const a = (text: string) => new RegExp(text)\n')

    expect(violations).toEqual([expect.stringMatching(/^service\/src\/a\.ts:1: .* is not constant/)])
  })

  it('rejects an expression that it cannot analyse', async () => {
    const { violations } = await check(String.raw`export const a = /\bfirst published ?:? ?(\d{1,2} \w+ \d{4})/i`, 1)

    expect(violations).toEqual([expect.stringMatching(/could not be checked: timeout/)])
  })

  it('rejects an expression with invalid syntax', async () => {
    const { violations } = await check("export const a = () => new RegExp('(')\n")

    expect(violations).toEqual([expect.stringMatching(/could not be checked: invalid/)])
  })

  it('exempts an expression after a comment that states the bound of its input, and counts the exemption', async () => {
    const { exemptions, violations } = await check('// regex-bound: 20 characters.\nexport const a = /(x*)*y/\n')

    expect({ exemptions, violations }).toEqual({ exemptions: 1, violations: [] })
  })

  it('skips an expression that the record lists, and checks all others', async () => {
    const text = 'export const a = /(x*)*y/\nexport const b = /(x*)*z/\nexport const c = /(x*)*y/i\n'
    const { recorded, violations } = await check(text, undefined, new Set([hashExpression('/(x*)*y/')]))

    expect(recorded).toBe(1)
    expect(violations).toEqual([expect.stringMatching(/^\S+:2: /), expect.stringMatching(/^\S+:3: /)])
  })

  it('does not exempt an expression if the comment above it states no bound', async () => {
    expect((await check('// regex-bound:\nexport const a = /(x*)*y/\n')).violations).toHaveLength(1)
  })

  it('fails for a repository without source files', async () => {
    const root = await writeTemporaryDirectory({})

    expect((await checkRegexes(root)).violations).toEqual([expect.stringMatching(/^There is no source file/)])
  })
})

describe('The search for regular expressions', () => {
  it.each([
    ['a literal in a template', `export const a = \`\${/x/g.source}\``, { source: 'x', flags: 'g' }],
    ['a literal with a slash in a class', 'export const a = /[/]/u', { source: '[/]', flags: 'u' }],
    ['a joined list', "export const a = new RegExp(['x', 'y'].join('|'), 'i')", { source: 'x|y', flags: 'i' }],
    ['a raw template', `export const a = new RegExp(String.raw\`\\d\${"x"}\`)`, { source: '\\dx', flags: '' }],
    ['concatenated texts', "export const a = new RegExp('x' + `y`)", { source: 'xy', flags: '' }],
  ])('reads %s', (_what, text, pattern) => {
    expect(readPatterns(text)).toContainEqual(pattern)
  })

  it('reads the source of a constant in the same file', () => {
    expect(readPatterns(`const A = /x/\nconst B = A.source\nexport const c = RegExp(\`\${B}y\`)`)).toEqual([
      { source: 'x', flags: '' },
      { source: 'xy', flags: '' },
    ])
  })

  it('does not mistake a division for an expression', () => {
    expect(readPatterns('export const a = (b: number, c: number) => b / c / 2 // /x/')).toEqual([])
  })
})
