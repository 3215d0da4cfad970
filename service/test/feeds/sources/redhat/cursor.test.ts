import { describe, expect, it } from 'vitest'
import { type Change, changeOf, changeOfKey } from '../../../../src/feeds/sources/redhat/change.ts'
import { advance, cursorSince, pendingIn, type RedHatCursor } from '../../../../src/feeds/sources/redhat/cursor.ts'

const NOW = new Date('2026-08-22T00:00:00Z')

function change(number: number, at: string, isDeletion = false): Change {
  const found = changeOf(`2024/cve-2024-${number}.json`, new Date(at), isDeletion)
  if (!found) throw new Error('no change')
  return found
}

const after = (before: RedHatCursor, taken: readonly Change[], missed: readonly Change[] = [], isTrouble = false) =>
  advance(before, { taken, missed, isTrouble }, NOW)
const keys = (changes: readonly Change[]) => changes.map(({ key }) => key)

describe('How far the changes of Red Hat have been read', () => {
  const start = cursorSince(new Date('2026-08-20T00:00:00Z'))
  const [one, two, three] = [
    change(1001, '2026-08-20T10:00:00Z'),
    change(1002, '2026-08-20T10:00:00Z'),
    change(1003, '2026-08-21T20:00:00Z'),
  ]

  it('is told by time and name; what is settled is not looked at again', () => {
    expect(keys(pendingIn([three, two, one, change(1000, '2026-08-19T23:59:59Z')], start))).toEqual(
      keys([one, two, three]),
    )
    expect(keys(pendingIn([three, two, one], after(start, [one])))).toEqual(keys([two, three]))
    expect(pendingIn([three, two, one], after(start, [one, two, three]))).toEqual([])
  })

  it('goes back a day for what is listed late, and no further', () => {
    const cursor = after(start, [one, two, three])
    expect(cursor).toMatchObject({ since: '2026-08-20T20:00:00Z', seen: keys([three]) })
    const [late, tooLate] = [change(1004, '2026-08-20T20:00:01Z'), change(1005, '2026-08-20T19:59:59Z')]
    expect(keys(pendingIn([three, late, tooLate, two, one], cursor))).toEqual(keys([late]))
  })

  it('is kept short when thousands change at the same moment, and none of them is forgotten', () => {
    const all = Array.from({ length: 6000 }, (_, index) => change(10_000 + index, '2026-08-21T10:00:00Z'))
    const cursor = after(start, all.slice(0, 5500))
    expect(cursor.seen).toHaveLength(5000)
    expect(keys(pendingIn(all, cursor))).toEqual(keys(all.slice(5500)))
  })

  it('does not move into the future', () => {
    const future = change(1009, '2099-01-01T00:00:00Z')
    const cursor = after(start, [one, future])
    expect(cursor.since).toBe('2026-08-20T00:00:00Z')
    expect(keys(pendingIn([future, three, one], cursor))).toEqual(keys([three]))
  })

  it('keeps what could not be had, until it is given up, or is had, or is no more', () => {
    const [tried, other] = [after(start, [one, two], [one]), change(1001, '2026-08-21T21:00:00Z', true)]
    expect(tried.missing).toEqual({ [one.key]: 1 })
    expect(keys(pendingIn([], tried))).toEqual([one.key])
    expect(keys(pendingIn([other], tried))).toEqual([other.key])
    expect(after(tried, [other]).missing).toEqual({})
    expect(after(tried, [one]).missing).toEqual({})
    expect(after({ ...tried, missing: { [one.key]: 4 } }, [one], [one]).missing).toEqual({})
    expect(after(tried, [three]).missing).toEqual({ [one.key]: 1 })
  })

  it('counts no try while the whole upstream is in trouble', () => {
    expect(after(start, [one], [one], true).missing).toEqual({ [one.key]: 0 })
  })

  it('of a file that changed and went, the last word counts', () => {
    const [gone, back] = [change(1001, '2026-08-20T10:00:00Z', true), change(1001, '2026-08-20T11:00:00Z')]
    expect(keys(pendingIn([one, gone], start))).toEqual([gone.key])
    expect(keys(pendingIn([one, gone, back], start))).toEqual([back.key])
    // Listed late, and yet earlier than what we have.
    expect(pendingIn([back, gone], after(start, [back]))).toEqual([])
  })

  it('can be read back from its key', () => {
    for (const each of [one, change(1001, '2026-08-20T10:00:00Z', true)]) expect(changeOfKey(each.key)).toEqual(each)
    expect(changeOfKey('2026-08-20T10:00:00Z ../../etc/passwd')).toBeUndefined()
  })
})
