import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../src/matching/sbom/gate/glob.ts'

describe('compileGlob', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
    ['a*', 'a', true],
    ['*c', 'abc', true],
    ['a*c', 'ac', true],
    ['ab*bc', 'abc', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*aab*', 'aaab', true],
    ['*abab*ab', 'abaabab', false],
    ['*abab*ab', 'ababab', true],
    ['**', '', true],
    ['*a*a*', 'a', false],
    ['.*', 'ab', false],
    ['[a]', 'a', false],
  ])('%s matches %s: %s', (pattern, text, isMatch) => {
    expect(compileGlob(pattern)(text)).toBe(isMatch)
  })

  it('gives the same results as a slow comparison for all short texts', () => {
    const matchSlowly = (pattern: string, text: string): boolean => {
      if (pattern === '') return text === ''
      const [first, rest] = [pattern[0], pattern.slice(1)]
      if (first === '*') return matchSlowly(rest, text) || (text !== '' && matchSlowly(pattern, text.slice(1)))
      return first === text[0] && matchSlowly(rest, text.slice(1))
    }
    const spell = (letters: string, length: number): string[] =>
      length === 0 ? [''] : spell(letters, length - 1).flatMap((each) => [...letters].map((letter) => each + letter))
    const texts = [0, 1, 2, 3, 4, 5].flatMap((length) => spell('ab', length))
    for (const pattern of [1, 2, 3, 4, 5].flatMap((length) => spell('ab*', length))) {
      const matches = compileGlob(pattern)
      for (const text of texts)
        expect([pattern, text, matches(text)]).toEqual([pattern, text, matchSlowly(pattern, text)])
    }
  })
})
