import type { View } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../src/app/search-string.ts'
import { suggestName } from '../../src/pages/explorer/chips.ts'
import { parseState, toSearch } from '../../src/pages/explorer/state.ts'
import {
  differsFromView,
  movePlaces,
  readView,
  toLink,
  toViewContent,
} from '../../src/pages/explorer/views/view-state.ts'
import { sortViews } from '../../src/text/views.ts'

const parse = (query: string) => parseState(parseSearch(query))

function view(id: string, more: Partial<View> = {}): View {
  return {
    id,
    name: id,
    note: null,
    query: '',
    search: '',
    columns: null,
    on: null,
    built_in: false,
    shared: false,
    own: true,
    member_id: '1',
    place: 0,
    revision: 1,
    created_at: null,
    changed_at: null,
    ...more,
  }
}

describe('A view', () => {
  it('saves filters, order and columns, with the order always named', () => {
    expect(toViewContent(parse('?kev=true&severity=high&columns=severity&rejected=show'))).toEqual({
      query: 'severity=high&kev=true&sort=level_desc',
      columns: ['severity'],
    })
    expect(toViewContent(parse('?q=log4j')).query).toBe('q=log4j&sort=relevance')
  })

  it('stands for the same list after it was saved, and differs as soon as a filter, the order or a column changes', () => {
    const state = parse('?kev=true&columns=severity,published')
    const { query, columns } = toViewContent(state)
    const saved = view('7', { query, search: query, columns })

    expect(toSearch(readView(saved))).toEqual(toSearch(state))
    expect(differsFromView(state, saved)).toBe(false)
    for (const changed of [
      '?kev=true',
      '?columns=severity,published',
      '?kev=true&sort=epss_desc&columns=severity,published',
    ])
      expect(differsFromView(parse(changed), saved)).toBe(true)
  })

  it('ignores parameters and columns that the console does not know', () => {
    expect(readView(view('7', { search: 'kev=true&colour=red', columns: ['colour'] }))).toEqual(parse('?kev=true'))
  })
})

describe('The order of views', () => {
  it('puts saved views before built-in ones, by place and name', () => {
    const views = [view('new-in-kev', { built_in: true }), view('b'), view('a'), view('c', { place: 5 })]

    expect(sortViews(views).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'new-in-kev'])
  })

  it('moves a view one step, changes only the places that differ, and stops at the ends', () => {
    const views = [
      view('a', { place: 0 }),
      view('b', { place: 10 }),
      view('c', { place: 20 }),
      view('x', { built_in: true }),
    ]
    const move = (id: string, step: -1 | 1) => movePlaces(views, id, step).map((each) => [each.view.id, each.place])

    expect(move('b', -1)).toEqual([
      ['b', 0],
      ['a', 10],
    ])
    expect(move('a', -1)).toEqual([])
    expect(move('c', 1)).toEqual([])
    expect(move('x', -1)).toEqual([])
  })
})

describe('The link of a view', () => {
  it('names the view only if others can open it and the list still is the view', () => {
    const shared = view('12', { search: 'severity=high&sort=level_desc', shared: true })
    expect(toLink(readView(shared), shared)).toBe('/cves?view=12')
    expect(toLink(readView(shared), { ...shared, shared: false })).toBe('/cves?severity=high&sort=level_desc')
    expect(toLink(parse('?severity=low'), shared)).toBe('/cves?severity=low&sort=level_desc')
  })
})

describe('The name that is suggested for a view', () => {
  it('is that of its filters', () => {
    expect(suggestName(parse('?severity=high&product_vendor=acme'))).toBe('Severity: High; Vendor: Acme')
    expect(suggestName(parse(''))).toBe('')
    expect(suggestName(parse(`?q=${'a'.repeat(150)}`))).toHaveLength(100)
  })
})
