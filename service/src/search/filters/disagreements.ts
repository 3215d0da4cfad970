// Filters by the subjects on which a CVE's sources disagree.
import { sql } from 'kysely'
import { list, optional } from '../../contract/request/parameters.ts'
import { flag, word } from '../../contract/request/value-types.ts'
import { DISAGREEMENTS, type Disagreement, listDisagreementSums } from '../../domain/source/disagreement.ts'
import { testAmong } from '../column-values.ts'
import { type Condition, defineFilter } from '../filter.ts'

export const scoreDisagreement = defineFilter({
  label: 'disagreement about severity',
  parameter: optional(
    flag({ true: 'with disagreement about the severity', false: 'without disagreement about the severity' }),
    'Whether sources disagree about the severity: same as disagree=score.',
  ),
  lists: ['search', 'recent'],
  condition: (isRequired) => hasDisagreement(['score'], isRequired),
  test: (isRequired) => testAmong('disagreements', listDisagreementSums(['score'], isRequired)),
})

export const disagree = defineFilter({
  label: 'sources disagree about',
  parameter: list(
    word(DISAGREEMENTS, {
      anyCase: true,
      labels: { score: 'severity', affected: 'affected products', rejected: 'rejection', kev_ssvc: 'KEV and SSVC' },
    }),
    'Sources disagree about any of these: score (two providers rate the CVE by the same CVSS version and have no severity level in common), affected (the affected versions of a product end at different versions), rejected (NVD or the CVE List rejects the CVE, while the other one does not or KEV lists it), kev_ssvc (KEV lists the CVE and the SSVC assessment of CISA does not say active, or the reverse). include=sources shows what each source states.',
    { example: ['score'] },
  ),
  lists: ['search', 'recent'],
  condition: (subjects) => hasDisagreement(subjects, true),
  test: (subjects) => testAmong('disagreements', listDisagreementSums(subjects, true)),
})

/** Compares with a list of sums instead of testing bits, so that PostgreSQL can use the index and its statistics. */
function hasDisagreement(subjects: readonly Disagreement[], isRequired: boolean): Condition {
  return sql`cve.disagreements = any(${listDisagreementSums(subjects, isRequired)}::smallint[])`
}
