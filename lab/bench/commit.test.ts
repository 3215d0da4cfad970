import { describe, expect, it } from 'vitest'
import { assessDurability, type ServerState } from '../../service/src/accounts/credits/charge-durability.ts'
import { createTestDatabase } from '../../service/test/support/database.ts'
import { findRecordingObstacle, formatDurability, readCommitSetting, readDurability } from './commit.ts'

const { url } = await createTestDatabase()
const SAFE: ServerState = {
  commit: 'on',
  fsync: true,
  full_page_writes: true,
  standby_names: '',
  replicas: 0,
  synchronous_replicas: 0,
}

describe('Commit mode of a benchmark run', () => {
  it('is on unless CHARGE_COMMIT says otherwise, and is shown next to the figures', async () => {
    const { commit } = await readDurability(url, readCommitSetting(undefined))
    expect(commit).toBe('on')
    expect(formatDurability(assessDurability(SAFE))).toBe('CHARGE_COMMIT=on, a charge survives the crash')
    expect(formatDurability(await readDurability(url, readCommitSetting('off')))).toBe(
      'CHARGE_COMMIT=off, a charge survives nothing',
    )
    expect(() => readCommitSetting('sometimes')).toThrow('CHARGE_COMMIT must be one of')
  })

  it.each<[string, Partial<ServerState>, RegExp | undefined]>([
    ['on', {}, undefined],
    ['off', { commit: 'off' }, /CHARGE_COMMIT is off/],
    ['on, but the server does not write to its disk', { fsync: false }, /fsync is off/],
    ['on, but the server does not write full pages', { full_page_writes: false }, /full_page_writes is off/],
  ])('%s: decides whether --write records the run', (_, state, reason) => {
    const obstacle = findRecordingObstacle(assessDurability({ ...SAFE, ...state }))
    if (reason) expect(obstacle).toMatch(reason)
    else expect(obstacle).toBeUndefined()
  })
})
