import { expect, it } from 'vitest'
import { findNames } from '../../../../src/catalog/reports/audit/nvd-names.ts'
import { cpeMatch } from './audit-fixtures.ts'

it('CPE names in the text of a record are found with part, vendor, product and their escapes', () => {
  const record = JSON.stringify({
    configurations: [
      {
        nodes: [
          {
            cpeMatch: [
              cpeMatch('a:example:router'),
              cpeMatch('o:at\\&t:os\\:x:1.0'),
              cpeMatch('o:example:\\"pro\\"_os'),
            ],
          },
        ],
      },
    ],
    descriptions: [{ value: 'cpe:2.3:a:not:a_criterion:' }],
  })
  expect(findNames(record)).toEqual(['a:example:router', 'o:at\\&t:os\\:x', 'o:example:\\"pro\\"_os'])
})
