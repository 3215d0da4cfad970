import { describe, expect, it } from 'vitest'
import { buildChange, type Change, parseChangeKey } from '../../../../src/feeds/sources/redhat/change-lists.ts'
import { advance, findPending, type RedHatCursor, startCursor } from '../../../../src/feeds/sources/redhat/cursor.ts'

const NOW = new Date('2026-08-22T00:00:00Z')

function change(number: number, at: string, isDeletion = false): Change {
  const found = buildChange(`2024/cve-2024-${number}.json`, new Date(at), isDeletion)
  if (!found) throw new Error('not a change')
  return found
}

const advanceTo = (
  before: RedHatCursor,
  requested: readonly Change[],
  failed: readonly Change[] = [],
  isUpstreamDown = false,
) => advance(before, { requested, failed, isUpstreamDown }, NOW)
const keys = (changes: readonly Change[]) => changes.map(({ key }) => key)

describe('Red Hat feed: cursor', () => {
  const start = startCursor(new Date('2026-08-20T00:00:00Z'))
  const [one, two, three] = [
    change(1001, '2026-08-20T10:00:00Z'),
    change(1002, '2026-08-20T10:00:00Z'),
    change(1003, '2026-08-21T20:00:00Z'),
  ]

  it('returns pending changes sorted by time and path, without changes that are already stored', () => {
    expect(keys(findPending([three, two, one, change(1000, '2026-08-19T23:59:59Z')], start))).toEqual(
      keys([one, two, three]),
    )
    expect(keys(findPending([three, two, one], advanceTo(start, [one])))).toEqual(keys([two, three]))
    expect(findPending([three, two, one], advanceTo(start, [one, two, three]))).toEqual([])
  })

  it('accepts changes that are listed up to one day late', () => {
    const cursor = advanceTo(start, [one, two, three])
    expect(cursor).toMatchObject({ since: '2026-08-20T20:00:00Z', seen: keys([three]) })
    const [late, tooLate] = [change(1004, '2026-08-20T20:00:01Z'), change(1005, '2026-08-20T19:59:59Z')]
    expect(keys(findPending([three, late, tooLate, two, one], cursor))).toEqual(keys([late]))
  })

  it('keeps at most 5,000 change keys when more files change at the same time, without losing a change', () => {
    const all = Array.from({ length: 6000 }, (_, index) => change(10_000 + index, '2026-08-21T10:00:00Z'))
    const cursor = advanceTo(start, all.slice(0, 5500))
    expect(cursor.seen).toHaveLength(5000)
    expect(keys(findPending(all, cursor))).toEqual(keys(all.slice(5500)))
  })

  it('does not move the cursor to a date in the future', () => {
    const future = change(1009, '2099-01-01T00:00:00Z')
    const cursor = advanceTo(start, [one, future])
    expect(cursor.since).toBe('2026-08-20T00:00:00Z')
    expect(keys(findPending([future, three, one], cursor))).toEqual(keys([three]))
  })

  it('does not count a failed download as an attempt while the server is down', () => {
    expect(advanceTo(start, [one], [one], true).missing).toEqual({ [one.key]: 0 })
  })

  it('uses the latest change or deletion of a file', () => {
    const [deleted, restored] = [change(1001, '2026-08-20T10:00:00Z', true), change(1001, '2026-08-20T11:00:00Z')]
    expect(keys(findPending([one, deleted], start))).toEqual([deleted.key])
    expect(keys(findPending([one, deleted, restored], start))).toEqual([restored.key])
    // Red Hat lists the deletion of the file late. The deletion is older than the change that is already imported, so
    // it is ignored.
    expect(findPending([restored, deleted], advanceTo(start, [restored]))).toEqual([])
  })

  it('parses the key of a changed VEX document and returns undefined for a key whose path is not a VEX document', () => {
    for (const each of [one, change(1001, '2026-08-20T10:00:00Z', true)]) expect(parseChangeKey(each.key)).toEqual(each)
    expect(parseChangeKey('2026-08-20T10:00:00Z ../../etc/passwd')).toBeUndefined()
  })

  it.each([
    ['a parent folder', '../../../etc/passwd'],
    ['a parent folder after a year', '2024/../../cve-2024-0009.json'],
    ['the root of the server', '/2024/cve-2024-0009.json'],
    ['another host', 'http://169.254.169.254/2024/cve-2024-0009.json'],
    ['another host without a protocol', '//evil.example/cve-2024-0009.json'],
    ['a percent-encoded parent folder', '2024/%2e%2e/cve-2024-0009.json'],
    ['the name of an advisory instead of a VEX document', '2024/rhsa-2024_6163.json'],
    ['a query string', '2024/cve-2024-0009.json?x=1'],
  ])('does not accept a path with %s as that of a VEX document', (_, path) => {
    expect(buildChange(path, NOW, false)).toBeUndefined()
  })
})
