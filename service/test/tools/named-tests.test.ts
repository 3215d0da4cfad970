// Runs the check of named tests on a small temporary repository and on the real one.
import { describe, expect, it } from 'vitest'
import { checkNamedTests } from '../../../tools/docs/named-tests.ts'
import { writeTemporaryDirectory } from '../feeds/temporary-files.ts'

async function check(text: string): Promise<readonly string[]> {
  const root = await writeTemporaryDirectory({
    'service/test/faults/kill.test.ts': '',
    'lab/long/feeds/whole-files.long.ts': '',
    'docs/threat-model.md': text,
  })
  return checkNamedTests(root).map(({ reference }) => reference)
}

describe('Check of the tests named in the threat model', () => {
  it.each([
    ['a fault with an existing test', '### F-1 Kill\n\n- **Test:** kill.test.ts.\n'],
    ['a fault with a lab test', '### F-1 Kill\n\n- **Test:** whole-files.long.ts.\n'],
    ['a fault that is not tested', '### F-1 Kill\n\n- **Test:** Not tested: no machine has two clocks.\n'],
    ['a goal with an existing test', '| C-KILL | kills | 0 | kill.test.ts: 3 kills |\n'],
    ['a goal that is not tested', '| C-MET-1 | calls | 0 | not tested: too slow |\n'],
  ])('accepts %s', async (_what, text) => {
    expect(await check(text)).toEqual([])
  })

  it.each([
    ['a fault without a test', '### F-1 Kill\n\n- **Test:** planned.\n\n### F-2 Stop\n\nkill.test.ts\n', 'F-1'],
    ['a threat without a test', '### T-1 Keys\n\n- **Threat:** Keys.\n', 'T-1'],
    ['a goal without a test', '| C-ROT | 0 × 401 | none |\n| C-KILL | kills | kill.test.ts |\n', 'C-ROT'],
    ['a test file that does not exist', '### F-1 Kill\n\n- **Test:** kill.test.ts, kill.long.ts.\n', 'kill.long.ts'],
  ])('rejects %s', async (_what, text, reference) => {
    expect(await check(text)).toEqual([reference])
  })
})
