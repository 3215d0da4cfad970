import { describe, expect, it } from 'vitest'
import { cleanBlock, cleanJson, cleanLine, wrap } from '../src/render/text.ts'

describe('CI system commands in text from the service or from a document', () => {
  it.each([
    ['::error::forged', ': :error::forged'],
    [' \n::set-output name=x::1', ': :set-output name=x::1'],
    ['a ##[error]b', 'a # #[error]b'],
    ['##vso[task.complete]', '# #vso[task.complete]'],
    ['##teamcity[message]', '# #teamcity[message]'],
    // These are no commands and stay readable.
    ['::1', '::1'],
    ['std::vec::Vec', 'std::vec::Vec'],
    ['## heading', '## heading'],
  ])('are made harmless in a line: %j', (text, cleaned) => {
    expect(cleanLine(text)).toBe(cleaned)
  })

  it('are made harmless in each line of a block', () => {
    expect(cleanBlock('a\n  ::error::b\n##[error]c')).toBe('a\n  : :error::b\n# #[error]c')
  })

  it('are made harmless if wrapping would put them at the start of a line', () => {
    expect(wrap(cleanLine('aaaa ::error::b'), 10)).toEqual(['aaaa', ': :error::b'])
  })

  it('are escaped in JSON without changing its meaning', () => {
    const json = cleanJson(JSON.stringify({ name: '##[error]x' }))
    expect([json.includes('##['), JSON.parse(json)]).toEqual([false, { name: '##[error]x' }])
  })
})
