import { describe, expect, it } from 'vitest'
import { findMistake, parseSearch } from '../../../../src/search/words/parse.ts'
import { encodePieces, normaliseSearch } from '../../../../src/search/words/pieces.ts'

const encode = (sent: string) => encodePieces(parseSearch(sent))

describe('parseSearch', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['remote code', ['+wremote', '+wcode'], 'words are terms'],
    ['apache,tomcat; jsp', ['+wapache', '+wtomcat', '+wjsp'], 'commas and semicolons separate words'],
    ['mod_ssl admin.php', ['+wmod_ssl', '+wadmin.php'], 'joined words are one term'],
    ['"remote code" x', ['+premote code', '+wx'], 'quotation marks enclose a phrase'],
    ['a"b c"d', ['+wa', '+pb c', '+wd'], 'quotation marks separate words'],
    ['say "hello world', ['+wsay', '+whello', '+wworld'], 'the last of an odd number of quotation marks is ignored'],
    ['log4j -core', ['+wlog4j', '-wcore'], 'a word after - is excluded'],
    ['-core log4j', ['+wlog4j', '-wcore'], 'an exclusion can be first'],
    ['x -"remote code"', ['+wx', '-premote code'], 'a phrase after - is excluded'],
    ['-"a b" x', ['+wx', '-pa b'], 'an excluded phrase can be first'],
    ['x-"a b"', ['+wx-', '+pa b'], 'a - at the end of a word excludes nothing'],
    ['a - b', ['+wa', '+wb'], 'a lone - is ignored'],
    ['a -', ['+wa'], 'a - at the end is ignored'],
    ['git --upload-pack', ['+wgit', '+w--upload-pack'], 'two - are text'],
    ['use-after-free', ['+wuse-after-free'], 'a - inside a word joins'],
    ['"-a OR b"', ['+p-a OR b'], 'operators in quotation marks are text'],
    ['tomcat OR jetty', ['+wtomcat', '|wjetty'], 'OR joins alternatives'],
    ['a OR b OR "c d" e', ['+wa', '|wb', '|pc d', '+we'], 'OR binds only the words next to it'],
    ['a b OR c -d', ['+wa', '+wb', '|wc', '-wd'], 'an exclusion can follow alternatives'],
    ['a or b Or c', ['+wa', '+wor', '+wb', '+wOr', '+wc'], 'only capital letters make alternatives'],
    ['OR a', ['+wa'], 'OR at the beginning is ignored'],
    ['a OR', ['+wa'], 'OR at the end is ignored'],
    ['a OR OR b', ['+wa', '|wb'], 'a repeated OR counts once'],
    ['OR', ['+wor'], 'OR alone is a word'],
    ['CVE-2021-44228', ['+wCVE-2021-44228'], 'an id is a term of joined words'],
    [' … "" -"" - & | ! ', [], 'a search without words has no terms'],
    ['a … OR … b', ['+wa', '|wb'], 'texts without words are ignored'],
  ])('reads %s as %j (%s)', (sent, pieces) => {
    expect(encode(sent)).toEqual(pieces)
    expect(findMistake(sent)).toBeUndefined()
  })
})

describe('findMistake', () => {
  it.each([
    ['-windows', 'only excludes words'],
    ['-"remote code" -x', 'only excludes words'],
    ['OR -x', 'only excludes words'],
    ['a OR -b', 'joins an excluded word by OR'],
    ['-a OR b', 'joins an excluded word by OR'],
    ['x -"a b" OR c', 'joins an excluded word by OR'],
    [Array.from({ length: 11 }, (_, index) => `a${index}`).join(' OR '), 'joins 11 alternatives by OR; at most 10'],
    ['a OR b OR c OR d OR e OR f g OR h OR i OR j OR k', 'joins 11 alternatives by OR; at most 10'],
  ])('rejects %s with advice', (sent, message) => {
    expect(findMistake(sent)).toContain(message)
  })

  it('accepts ten alternatives and any number of other words', () => {
    const ten = Array.from({ length: 10 }, (_, index) => `a${index}`).join(' OR ')
    expect(findMistake(`${ten} x y z -w`)).toBeUndefined()
  })
})

describe('normaliseSearch', () => {
  it.each([
    ['  Remote   CODE ', 'remote code'],
    ['"Remote   Code" x', '"remote code" x'],
    ['a OR B', 'a OR b'],
    ['a or b', 'a or b'],
    ['-X log4j', 'log4j -x'],
    ['log4j -"A b"', 'log4j -"a b"'],
  ])('returns for %s the text %s', (sent, normalised) => {
    expect(normaliseSearch(sent)).toBe(normalised)
  })

  it('returns undefined for a search without words', () => {
    expect(normaliseSearch(' "-" ')).toBeUndefined()
  })

  it('distinguishes searches with different meanings', () => {
    const searches = ['a b', 'a OR b', 'a or b', 'a -b', '"a b"', '"a" b', '"a -b"', 'a-b']
    expect(new Set(searches.map(normaliseSearch)).size).toBe(searches.length)
  })
})
