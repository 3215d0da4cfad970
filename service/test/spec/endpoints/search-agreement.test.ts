import { describe, expect, it } from 'vitest'
import { SORTS } from '../../../src/api/cve-record/sort.ts'
import { idsWithWords, naiveSearch } from '../../support/catalog/naive-search.ts'
import { agreementWorld, agreeOn } from './search-agreement.ts'

const world = await agreementWorld()
const { cves, pool, walk } = world

describe('a walk through all pages', () => {
  it.each(SORTS)('meets every CVE exactly once by %s, in order, those without the value last', async (sort) => {
    const { ids, pages } = await walk({ sort }, 100)
    expect(ids).toEqual(naiveSearch(cves, { sort }, undefined))
    expect(pages.every(({ totalEstimate }) => totalEstimate === cves.length)).toBe(true)
  })

  it.each(SORTS)('with a filter and pages of 7 does so too by %s', async (sort) => {
    const query = { sort, q: 'zebra' }
    expect((await walk(query, 7)).ids).toEqual(naiveSearch(cves, query, await idsWithWords(pool.db, 'zebra')))
  })
})

describe('any combination of filters', () => {
  it('is answered as by looking at every CVE, in every order', () => agreeOn(world, 60), 120_000)
})
