import { describe, expect, it } from 'vitest'
import { captureEntryToken, dropEntryToken, getEntryToken, onEntryToken } from '../../src/data/entry-token.ts'

function openAddress(pathname: string, hash: string): readonly string[] {
  const shown: string[] = []
  const history = {
    state: { key: 1 },
    replaceState: (_state: unknown, _title: string, url?: string | URL | null) => shown.push(String(url)),
  }
  captureEntryToken({ location: { pathname, hash }, history })
  return shown
}

describe('The token in a sign-in link', () => {
  it('is removed from the address at once and kept until it is dropped', () => {
    const seen: (string | undefined)[] = []
    const end = onEntryToken(() => seen.push(getEntryToken()))
    expect(openAddress('/console/enter', '#first')).toEqual(['/console/enter'])
    expect(openAddress('/console/enter/', '#second')).toEqual(['/console/enter'])
    expect(getEntryToken()).toBe('second')
    dropEntryToken()
    end()
    expect(seen).toEqual(['first', 'second', undefined])
  })

  it.each([
    ['/console/cves', '#main'],
    ['/console/enter', ''],
    ['/console/enter', '#'],
    ['/console/entering', '#token'],
  ])('is not read from %s%s', (pathname, hash) => {
    expect(openAddress(pathname, hash)).toEqual([])
    expect(getEntryToken()).toBe(undefined)
  })
})
