// Puts known bugs into a copy of the source code, one at a time, and checks that the test suite detects each of them.
// SEEDED_BUGS='cursors;log lines' seeds only the bugs whose names contain one of these texts.
import { describe, expect, it } from 'vitest'
import { assertSeedable, runCopy, type SourceBug } from '../../accounts/seeded-bugs/source.ts'
import { isLongRun } from '../../support/size.ts'
import { DATA_BUGS } from './data-bugs.ts'
import { ISOLATION_BUGS } from './isolation-bugs.ts'
import { PROCESS_BUGS } from './process-bugs.ts'

const ALL: readonly SourceBug[] = [...ISOLATION_BUGS, ...PROCESS_BUGS, ...DATA_BUGS]
/** Bugs that every run seeds. Their tests need no server, so that they take little time. */
const QUICK = ['one account may hold every database connection', 'cursors are accepted without a valid signature']
const only = process.env['SEEDED_BUGS']?.split(';')
for (const part of only ?? [])
  if (!ALL.some(({ name }) => name.includes(part))) throw new Error(`SEEDED_BUGS: no bug has "${part}" in its name.`)
const chosen = ALL.filter(({ name }) =>
  only ? only.some((part) => name.includes(part)) : isLongRun || QUICK.includes(name),
)
const SLOW = { timeout: 300_000 }

describe('List of seeded bugs', () => {
  it('has at least twenty bugs with different names', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20)
  })

  it.each(ALL)('still fits the source code: $name', (bug) => {
    expect(() => assertSeedable(bug)).not.toThrow()
  })
})

describe('Test suite with a seeded bug', () => {
  it.each(chosen)('detects the bug "$name" with the test "$test"', SLOW, async (bug) => {
    const { failed, passed } = await runCopy(bug, [bug])
    const [first] = failed
    process.stdout.write(`seeded bug "${bug.name}" was detected by "${first?.name}": ${first?.reason}\n`)
    expect({ failed, passed: first ? [] : passed }).toEqual({
      failed: expect.arrayContaining([expect.objectContaining({ name: expect.stringContaining(bug.test) })]),
      passed: [],
    })
  })
})

// In other runs, the tests themselves show that they pass without a bug.
describe.runIf(isLongRun)('Test suite without a seeded bug', () => {
  it('passes all tests that detect seeded bugs', { ...SLOW, retry: 1 }, async () => {
    const { passed, failed } = await runCopy(undefined, ALL)
    expect(failed).toEqual([])
    expect(passed.length).toBeGreaterThanOrEqual(ALL.length)
  })
})
