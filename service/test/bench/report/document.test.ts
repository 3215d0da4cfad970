import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIGURES } from '../figures.ts'
import { GENERATED, replaceGenerated } from './document.ts'
import { readRecorded } from './recorded.ts'

const { full } = readRecorded()

describe('recorded results of the benchmark', () => {
  it.each(Object.entries(GENERATED))('are what docs/%s shows between its marks', (name, format) => {
    const document = readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
    expect(replaceGenerated(document, format(full))).toBe(document)
  })

  it('belong to figures that exist, once each', () => {
    const recorded = Object.values(full).flatMap(({ measured }) => measured.map(({ figure }) => figure))
    expect(new Set(recorded).size).toBe(recorded.length)
    expect(Object.keys(FIGURES)).toEqual(expect.arrayContaining(recorded))
  })
})
