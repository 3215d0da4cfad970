// Puts known bugs into a copy of the source code, one at a time, and checks that the test suite detects each of them.
// SEEDED_BUGS='cursors;log lines' seeds only the bugs whose names contain one of these texts.
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../../../service/test/support/size.ts'
import { assertSeedable, runCopy, type SourceBug } from '../account-bugs/source.ts'
import { DATA_BUGS } from './data-bugs.ts'
import { FAULT_BUGS } from './fault-bugs.ts'
import { ISOLATION_BUGS } from './isolation-bugs.ts'
import { PROCESS_BUGS } from './process-bugs.ts'

const ALL: readonly SourceBug[] = [...ISOLATION_BUGS, ...PROCESS_BUGS, ...DATA_BUGS, ...FAULT_BUGS]
/** Bugs that every run seeds. Their tests need no server, so that they take little time. */
const QUICK = ['one account may hold every database connection', 'cursors are accepted without a valid signature']
const only = process.env['SEEDED_BUGS']?.split(';')
for (const part of only ?? [])
  if (!ALL.some(({ name }) => name.includes(part))) throw new Error(`SEEDED_BUGS: no bug has "${part}" in its name.`)
const chosen = ALL.filter(({ name }) =>
  only ? only.some((part) => name.includes(part)) : isLongRun || QUICK.includes(name),
)
const SLOW = { timeout: 900_000 }

describe('List of seeded bugs', () => {
  it('has at least twenty bugs with different names', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20)
  })

  it.each(ALL)('still fits the source code: $name', (bug) => {
    expect(() => assertSeedable(bug)).not.toThrow()
  })
})

function expectDetected(bugs: readonly SourceBug[], { failed, passed }: Awaited<ReturnType<typeof runCopy>>): void {
  for (const bug of bugs) {
    const found = failed.find(({ name }) => name.includes(bug.test))
    process.stdout.write(`seeded bug "${bug.name}" was detected by "${found?.name}": ${found?.reason}\n`)
    expect(found, `${bug.test}; failed: ${JSON.stringify(failed)}; passed: ${passed.join()}`).toBeDefined()
  }
}

describe('Test suite with a seeded bug', () => {
  it.each(isLongRun || only ? chosen : [])('detects the bug "$name" with the test "$test"', SLOW, async (bug) => {
    expectDetected([bug], await runCopy([bug], [bug]))
  })

  // Starting vitest takes most of the time, so the short run seeds its bugs, which are in different files, into one copy.
  it.runIf(!isLongRun && !only)('detects the two quick bugs with their tests', SLOW, async () => {
    expectDetected(chosen, await runCopy(chosen, chosen))
  })
})

// In other runs, the tests themselves show that they pass without a bug.
describe.runIf(isLongRun)('Test suite without a seeded bug', () => {
  it('passes all tests that detect seeded bugs', { ...SLOW, retry: 1 }, async () => {
    const { passed, failed } = await runCopy([], ALL)
    expect(failed).toEqual([])
    expect(passed.length).toBeGreaterThanOrEqual(ALL.length)
  })
})
