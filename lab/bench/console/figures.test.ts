import { describe, expect, it } from 'vitest'
import { formatTable, summarize } from './figures.ts'
import type { Visit } from './visit.ts'

const visit = (values: Partial<Visit>): Visit => ({
  isWarm: false,
  requests: 0,
  calls: 0,
  bytes: 0,
  firstCallMs: null,
  verdictMs: null,
  paintMs: 0,
  shift: 0,
  ...values,
})

describe('Speed of the console', () => {
  it('is the median of the visits, apart for an empty and a filled cache', () => {
    const { cold, warm } = summarize([
      visit({ requests: 9, firstCallMs: 300 }),
      visit({ requests: 4, firstCallMs: null }),
      visit({ requests: 7, firstCallMs: 200 }),
      visit({ requests: 1, isWarm: true }),
    ])
    expect([cold.requests, cold.firstCallMs, warm.requests, warm.firstCallMs]).toEqual([7, 200, 1, null])
  })

  it('is printed as a table with a dash for what a page does not have', () => {
    const table = formatTable([{ name: 'now', ...summarize([visit({ bytes: 12_600, shift: 0.0126 })]) }])
    expect(table.split('\n')[2]).toBe('| now | cold | 0 | 0 | 13 | – | – | 0 | 0.013 |')
  })
})
