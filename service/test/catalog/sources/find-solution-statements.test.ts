import { describe, expect, it } from 'vitest'
import { listSolutionStatements } from '../../../src/catalog/sources/prose/find-solution-statements.ts'
import { MAX_LINEAR_GROWTH, measureGrowth } from '../../support/growth.ts'

describe('Fix statements in solutions', () => {
  it.each([
    ['Update Example Router to version v2.4.1 or higher', 'upgrade to', '2.4.1'],
    ['The vendor asks users to update the Example Router 9 firmware to 2.4.1.', 'upgrade to', '2.4.1'],
    ['Example Soft suggests updating Router Web and Router Mobile to at least version 2.4.1', 'upgrade to', '2.4.1'],
    ['* Upgrade to V2.4.1 or later', 'upgrade to', '2.4.1'],
    ['Ask the vendor for a patch or update to version 2.4 or later.', 'upgrade to', '2.4'],
    ['Users may update to the following: * Router 2026 R2: Version 2.4.1.0523', 'upgrade to', '2.4.1.0523'],
    ['Upgrade to the latest version of the Example Soft Router Manager version 2.4 HF 1', 'upgrade to', '2.4 HF 1'],
    ['Update the image to a version >= 2.4.1 soon.', 'upgrade to', '2.4.1'],
    ['The flaw was fixed by the Example Soft team in version 2.4.1.', 'fixed in', '2.4.1'],
    ['Example Soft has resolved this flaw in firmware version 2.4.1 or higher.', 'fixed in', '2.4.1'],
    ['The flaw is resolved in the following Router OS versions: * Router//OS 2.4.1 or later', 'fixed in', '2.4.1'],
    ['The flaw was solved at version 2.4.1.', 'fixed in', '2.4.1'],
    ['Install the patched version 2.4.1.', 'fixed in', '2.4.1'],
    ['Example Soft released version 2.4.1, which resolves the flaw.', 'fixed in', '2.4.1'],
    ['V2.4.1 and later', 'fixed in', '2.4.1'],
    [' 2.4.1 ', 'fixed in', '2.4.1'],
  ])('are read from "%s"', (text, phrase, version) => {
    expect(listSolutionStatements(text)[0]).toEqual({ phrase, version })
  })

  it('are listed for each product', () => {
    const text = 'Update Router to 2.4.1 or later. Update Switch to 3.0.2 or later. Fixed by the vendor in 4.1.'
    expect(listSolutionStatements(text).map(({ version }) => version)).toEqual(['2.4.1', '3.0.2', '4.1'])
  })

  it.each([
    ['names the last affected version', 'Update Router to versions later than 2.4.1.'],
    ['names a version of the platform', 'Update the server to PHP 8.1.'],
    ['announces a version', 'The flaw will be fixed by the vendor in version 2.4.1.'],
    ['names an upcoming version', 'Please upgrade Router to the upcoming version 2.4.1.'],
    ['names a version that is not available yet', 'Upgrade Router to version 2.4.1 once it is available.'],
    ['says that there is no fix', 'The flaw is not fixed by the vendor in version 2.4.1.'],
    ['names the version in another sentence', 'Update Router to the latest version. Version 2.4.1 was tested.'],
    ['names no version after the preposition', 'Update Router. Restrict access to port 2.'],
    ['names a second number', 'Update Router to 2.4.1 revision 20jun26 now.'],
    ['is a table', 'Product First known in Corrected in Firmware Router 5580 V35.011 V35.013'],
    ['names only an affected version', 'Router 2.4.1 is no longer supported. Replace the router.'],
    ['names another product', 'The vendor released version 1.3.0 of Switch and asks users to use Switch.'],
    ['is empty', ''],
  ])('are not read from a text that %s', (_, text) => {
    expect(listSolutionStatements(text)).toEqual([])
  })

  it.each(['update ', 'fixed in a ', 'update to 2.4.1 ', 'to '])('are read in linear time from many "%s"', (text) => {
    const growth = measureGrowth(20_000, (size) => listSolutionStatements(text.repeat(size / text.length)))
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH)
  })
})
