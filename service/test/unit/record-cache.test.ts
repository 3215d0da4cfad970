import { describe, expect, it } from 'vitest'
import { rememberRecords } from '../../src/api/cve-record/cache.ts'
import { leastRecent } from '../../src/api/cve-record/least-recent.ts'
import type { KevAndEpss, RecordRow } from '../../src/api/cve-record/load.ts'
import { type CveId, cveKeyOf, parseCveId } from '../../src/domain/cve-id.ts'

const ID: CveId = parseCveId('CVE-2021-44228') ?? expect.fail('no id')
const KEY = cveKeyOf(ID) ?? expect.fail('no key')

function row(description: string, epss_score: number | null = null): RecordRow {
  const epss = { epss_score, epss_percentile: null, epss_day: null }
  return { cve_key: KEY, content_hash: Buffer.of(1), kev_hash: null, enriched_at: new Date(0), ...epss, description }
}

/** A database whose answers come when the test says so. */
function slowDatabase() {
  const waiting: ((answer: RecordRow | undefined) => void)[] = []
  const asked = { records: 0, kevAndEpss: 0 }
  let isFollowed = true
  const cache = rememberRecords(
    {
      isFollowed: () => isFollowed,
      read: () => {
        asked.records += 1
        return new Promise((resolve) => waiting.push(resolve))
      },
      readKevAndEpss: () => {
        asked.kevAndEpss += 1
        return new Promise<KevAndEpss | undefined>((resolve) => waiting.push(resolve))
      },
    },
    1024 * 1024,
  )
  return {
    cache,
    asked,
    answer: (answered: RecordRow | undefined) => waiting.shift()?.(answered),
    turnDeaf: () => {
      isFollowed = false
    },
  }
}

describe('A remembered record', () => {
  it('is read once for all who ask, then recalled', async () => {
    const { cache, asked, answer } = slowDatabase()
    const both = [cache.find(ID), cache.find(ID)]
    answer(row('one'))
    expect(await Promise.all(both)).toEqual([row('one'), row('one')])
    expect(cache.recall(ID)).toEqual(row('one'))
    await cache.find(ID)
    expect(asked.records).toBe(1)
  })

  it('is not kept when it changed while it was read', async () => {
    const { cache, answer } = slowDatabase()
    const early = cache.find(ID)
    cache.forget(KEY)
    const late = cache.find(ID)
    answer(row('before'))
    expect(await early).toEqual(row('before'))
    expect(cache.recall(ID)).toBeUndefined()
    answer(row('after'))
    expect(await late, 'who asks after the change does not wait for the old reading').toEqual(row('after'))
    expect(cache.recall(ID)).toEqual(row('after'))
  })

  it.each(['forgetAll', 'forgetKevAndEpss'] as const)('is not kept when %s came while it was read', async (forget) => {
    const { cache, answer } = slowDatabase()
    const early = cache.find(ID)
    cache[forget]()
    answer(row('before', 0.1))
    await early
    expect(cache.recall(ID)).toBeUndefined()
  })

  it('has KEV and EPSS read again, alone, when those changed', async () => {
    const { cache, asked, answer } = slowDatabase()
    const first = cache.find(ID)
    answer(row('kept', 0.1))
    await first
    cache.forgetKevAndEpss()
    expect(cache.recall(ID), 'what is outdated is not known').toBeUndefined()
    const second = cache.find(ID)
    answer({ ...row('kept', 0.9) })
    expect(await second).toMatchObject({ description: 'kept', epss_score: 0.9 })
    expect([asked, cache.recall(ID)]).toMatchObject([{ records: 1, kevAndEpss: 1 }, { epss_score: 0.9 }])
  })

  it('that failed to be read is asked for again', async () => {
    let isBroken = true
    const read = async () => {
      if (isBroken) throw new Error('out of reach')
      return row('there')
    }
    const cache = rememberRecords({ isFollowed: () => true, read, readKevAndEpss: async () => undefined }, 1e6)
    await expect(cache.find(ID)).rejects.toThrow('out of reach')
    isBroken = false
    expect(await cache.find(ID)).toEqual(row('there'))
  })

  it('that is absent is known to be, until it is said to have changed', async () => {
    const { cache, asked, answer } = slowDatabase()
    const first = cache.find(ID)
    answer(undefined)
    expect([await first, cache.recall(ID)]).toEqual([undefined, 'absent'])
    expect(await cache.find(ID)).toBeUndefined()
    cache.forget(KEY)
    expect([cache.recall(ID), asked.records]).toEqual([undefined, 1])
  })

  it('is neither believed nor kept while changes are not heard of', async () => {
    const { cache, asked, answer, turnDeaf } = slowDatabase()
    const first = cache.find(ID)
    answer(row('one'))
    await first
    turnDeaf()
    expect(cache.recall(ID)).toBeUndefined()
    const [second, third] = [cache.find(ID), cache.find(ID)]
    answer(row('two'))
    answer(row('three'))
    expect([await second, await third]).toEqual([row('two'), row('three')])
    expect(asked.records).toBe(3)
  })

  it('of an id under which nothing can be kept is absent without asking, deaf or not', () => {
    const { cache, turnDeaf } = slowDatabase()
    const strange = parseCveId('CVE-2021-044228') ?? expect.fail('no id')
    turnDeaf()
    expect(cache.recall(strange)).toBe('absent')
  })
})

describe('What was used least recently', () => {
  const bounded = () => leastRecent<string>(80, (value) => value.length)

  it('makes room', () => {
    const memory = bounded()
    for (let at = 0; at < 8; at += 1) memory.set(`${at}`, 'ten bytes!')
    memory.get('0')
    memory.set('8', 'ten bytes!')
    expect([memory.get('0'), memory.get('1'), memory.get('2')]).toEqual(['ten bytes!', undefined, 'ten bytes!'])
  })

  it('makes room for no value that is larger than an eighth of the whole', () => {
    const memory = bounded()
    memory.set('fits', 'x'.repeat(10))
    memory.set('large', 'x'.repeat(11))
    expect([memory.get('fits'), memory.get('large')]).toEqual(['x'.repeat(10), undefined])
  })

  it('counts what is replaced or deleted no more', () => {
    const memory = bounded()
    for (let at = 0; at < 100; at += 1) memory.set('same', 'ten bytes!')
    memory.delete('same')
    for (let at = 0; at < 8; at += 1) memory.set(`${at}`, 'ten bytes!')
    expect(memory.get('0')).toBe('ten bytes!')
    memory.clear()
    expect(memory.get('0')).toBeUndefined()
    memory.set('0', 'ten bytes!')
    expect(memory.get('0')).toBe('ten bytes!')
  })

  it('keeps nothing at all when there is no room', () => {
    const memory = leastRecent<string>(0, () => 1)
    memory.set('a', 'b')
    expect(memory.get('a')).toBeUndefined()
  })
})
