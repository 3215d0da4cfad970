// The add-on `remediations`: what publishers advise, also where there is no fix. The detail record of a publisher has all
// of its remediations.
import { Type } from 'typebox'
import { countSchema } from '../../response/schemas.ts'
import { defineAddOn } from '../cve-member.ts'
import { remediationSchema } from '../fixes.ts'

export const remediations = defineAddOn({
  name: 'remediations',
  schema: Type.Array(remediationSchema, {
    description:
      'What Red Hat and publishers of CSAF documents advise, at most 5 of each kind with at most 10 products each; /detail has all. Empty if they advise nothing.',
  }),
  columns: ['remediations', 'remediations_omitted'],
  availableIn: ['single', 'batch'],
  // In a tenth of the detail records of 2026, the 50 largest lists average 4 KB, and the largest has 10 KB.
  size: { perCve: 32 * 1024, total: 768 * 1024 },
  omitted: {
    wireName: 'remediations_omitted',
    schema: countSchema('Number of remediations that are not in `remediations`. Absent if there are none.'),
    render: ({ remediations_omitted: count = '0' }) => (count === '0' ? undefined : count),
  },
})
