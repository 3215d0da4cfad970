import { describe, expect, it } from 'vitest'
import { describeTotal } from '../../src/pages/explorer/total.ts'

describe('Number of matching CVEs', () => {
  it.each([
    [{ count: 225_122, isExact: false }, 'about 225,000'],
    [{ count: 1674, isExact: false }, 'about 1,670'],
    [{ count: 1674, isExact: true }, '1,674'],
    [{ count: 22, isExact: true }, '22'],
  ])('is formatted for %o as "%s"', (total, text) => {
    expect(describeTotal(total)).toBe(text)
  })
})
