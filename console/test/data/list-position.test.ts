import { describe, expect, it } from 'vitest'
import { findListPosition, rememberList } from '../../src/data/list-position.ts'

function createStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  }
}

const LIST = { title: 'Edge devices', path: '/cves?kev=true', ids: ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'] }

describe('position of a CVE in the list that was shown last', () => {
  it('names the previous and the next CVE and counts from 1', () => {
    const storage = createStorage()
    rememberList({ ...LIST, total: 142 }, storage)
    expect(findListPosition('CVE-2026-2', storage)).toEqual({
      title: 'Edge devices',
      path: '/cves?kev=true',
      position: 2,
      total: 142,
      previous: 'CVE-2026-1',
      next: 'CVE-2026-3',
    })
  })

  it('has no neighbour beyond the ends of the list', () => {
    const storage = createStorage()
    rememberList(LIST, storage)
    expect(findListPosition('CVE-2026-1', storage)).toMatchObject({ previous: undefined, next: 'CVE-2026-2' })
    expect(findListPosition('CVE-2026-3', storage)).toMatchObject({ previous: 'CVE-2026-2', next: undefined })
  })

  it('is undefined for a CVE outside of the list and without a list', () => {
    const storage = createStorage()
    expect(findListPosition('CVE-2026-1', storage)).toBeUndefined()
    rememberList(LIST, storage)
    expect(findListPosition('CVE-2026-9', storage)).toBeUndefined()
  })

  it('ignores what is not a list, such as the form of another release', () => {
    const storage = createStorage()
    for (const text of ['{', '7', 'null', '{"ids":["CVE-2026-1"]}', '{"title":"x","path":"//evil","ids":[1]}']) {
      storage.setItem('vis-list', text)
      expect(findListPosition('CVE-2026-1', storage)).toBeUndefined()
    }
  })

  it('survives a browser that refuses to store anything', () => {
    const storage = {
      getItem: () => null,
      setItem: () => {
        throw new Error('QuotaExceededError')
      },
    }
    expect(() => rememberList(LIST, storage)).not.toThrow()
  })
})
