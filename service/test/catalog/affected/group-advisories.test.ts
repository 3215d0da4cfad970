import { expect, it } from 'vitest'
import { groupAdvisories, type NamedAdvisory } from '../../../src/catalog/affected/group-advisories.ts'

const advisory = (id: string, aliases: readonly string[] = []): NamedAdvisory => ({
  id,
  feed: id.startsWith('GHSA') ? 'ghsa' : 'osv-go',
  aliases,
})

const group = (...advisories: readonly NamedAdvisory[]) =>
  groupAdvisories(advisories).map((members) => members.map(({ id }) => id).join(' '))

it.each<[string, readonly NamedAdvisory[], readonly string[]]>([
  [
    'an advisory and its alias, which gives the id',
    [advisory('GO-1', ['GHSA-1']), advisory('GHSA-1')],
    ['GHSA-1 GO-1'],
  ],
  ['advisories with a common alias', [advisory('GO-2', ['CVE-1']), advisory('GO-1', ['CVE-1'])], ['GO-1 GO-2']],
  [
    'a chain of aliases in any order',
    [advisory('GO-3', ['GO-2']), advisory('GO-1'), advisory('GO-2', ['GO-1'])],
    ['GO-1 GO-2 GO-3'],
  ],
  ['aliases that name each other', [advisory('GO-1', ['GO-2']), advisory('GO-2', ['GO-1'])], ['GO-1 GO-2']],
  ['no others', [advisory('GO-1', ['GHSA-1']), advisory('GO-2', ['GHSA-2'])], ['GO-1', 'GO-2']],
])('Grouping advisories joins %s', (_, advisories, expected) => {
  expect(group(...advisories)).toEqual(expected)
})
