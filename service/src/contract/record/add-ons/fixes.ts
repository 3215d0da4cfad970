// The add-on `fixes`: the first version of each product and branch that contains a fix (decision E36). Lists of CVEs have
// the first rows only.
import { Type } from 'typebox'
import { countSchema } from '../../response/schemas.ts'
import { type CveForm, defineAddOn, type MemberRow } from '../cve-member.ts'
import { fixSchema } from '../fixes.ts'

/** Maximum of rows in a list of CVEs. */
const MAX_LISTED = 3

type FixesRow = MemberRow<'fixes' | 'fixes_omitted'>

export const fixes = defineAddOn({
  name: 'fixes',
  schema: Type.Array(fixSchema, {
    description:
      'Fixed versions that sources name, one per product and branch: the products that the CVE is about first, distributions last. At most 50, and 3 in lists of CVEs. Empty: no source names a fixed version, which does not mean that there is none; enrichment.patch_available can be true nevertheless.',
  }),
  columns: ['fixes', 'fixes_omitted'],
  // In a tenth of the detail records of 2026, the 50 largest lists average 10 KB, and the largest has 13 KB.
  size: { perCve: 24 * 1024, total: 768 * 1024 },
  render: (row, form) => {
    const text = row.fixes ?? '[]'
    return isShortened(form) ? JSON.stringify(JSON.parse(text).slice(0, MAX_LISTED)) : text
  },
  omitted: {
    wireName: 'fixes_omitted',
    schema: countSchema('Number of fixes that are not in `fixes`. Absent if there are none.'),
    render: (row, form) => formatCount(Number(row.fixes_omitted ?? 0) + (isShortened(form) ? countUnlisted(row) : 0)),
  },
})

function isShortened(form: CveForm): boolean {
  return form === 'listed' || form === 'recent'
}

function countUnlisted({ fixes: text = '[]' }: FixesRow): number {
  return Math.max(0, JSON.parse(text).length - MAX_LISTED)
}

function formatCount(count: number): string | undefined {
  return count === 0 ? undefined : String(count)
}
