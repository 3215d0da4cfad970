import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIGURES } from '../figures.ts'
import { GENERATED, replaceGenerated } from './document.ts'
import { formatPrices } from './prices.ts'
import { readRecorded } from './recorded.ts'

const { full } = readRecorded()

describe('Recorded benchmark results', () => {
  it.each(Object.entries(GENERATED))('are what lab/docs/%s shows between its markers', (name, format) => {
    const document = readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
    expect(replaceGenerated(document, format(full))).toBe(document)
  })

  it('each belong to one existing figure', () => {
    const recorded = Object.values(full).flatMap(({ measured }) => measured.map(({ figure }) => figure))
    expect(new Set(recorded).size).toBe(recorded.length)
    expect(Object.keys(FIGURES)).toEqual(expect.arrayContaining(recorded))
  })
})

describe('Price table', () => {
  it('states how many cores each call rate needs, to two digits', () => {
    const turn = { perSecond: 1000, own: 761, postgres: 409, redis: 1, client: 0, refused: 0, busy: 1, clientBusy: 0 }
    const side = { comparison: 'cold', side: 'get-cve, cold', ...turn }
    const table = formatPrices({ cold: { day: '2026-11-16', measured: [], sides: [side] } })
    expect(table).toContain('| get-cve, from the database | 761 | 409 | 1,171 | 1.2 | 12 | 120 | `cold` |')
  })
})
