import { Type } from 'typebox'
import { NO_LEV_REASONS } from '../domain/epss-series/lev.ts'
import { NOT_COMPARABLE_REASONS } from '../domain/epss-series/mover-windows.ts'
import { LEVELS } from '../domain/priority/policy.ts'
import { describeTable } from './describe-table.ts'
import { cveIdSchema } from './record/cve-fields.ts'
import { dayRangeSchema, modelChangeSchema, modelSchema } from './record/epss-days.ts'
import { closedObject, countSchema, daySchema, flagSchema, orNull, wordOrNull } from './response/schemas.ts'

const probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const dayScoreSchema = closedObject(
  {
    date: daySchema('Day of the score.'),
    score: probability('Estimated probability that the CVE is exploited within 30 days.'),
    percentile: orNull(
      probability('Share of all CVEs that have the same or a lower score; null if the release has no percentiles.'),
    ),
    model: modelSchema('Version of the EPSS model; null if the release names none.'),
  },
  'The EPSS score of one day.',
  'EpssDayScore',
)

const levSchema = closedObject(
  {
    score: probability(
      'Estimated probability, as a lower bound, that the CVE was exploited from the first to the last day.',
    ),
    from: daySchema('First day with a score in the window.'),
    to: daySchema('Last day with a score in the window.'),
    days: countSchema('Number of days from the first to the last one, both included.'),
    spans_model_change: flagSchema(
      'Whether scores of different EPSS models are combined, which makes LEV less reliable.',
    ),
  },
  'LEV (likely exploited vulnerability) by NIST CSWP 41, computed from the series of this answer. It has an unknown margin of error, and the service never uses it for priorities.',
  'Lev',
)

export const epssSeriesSchema = closedObject(
  {
    cve_id: cveIdSchema(),
    from: daySchema('First day of the window.'),
    to: daySchema('Last day of the window.'),
    series: Type.Array(dayScoreSchema, { description: 'The days on which the CVE has a score, oldest first.' }),
    model_changes: Type.Array(modelChangeSchema, {
      description: 'The changes of the EPSS model in the window, oldest first.',
    }),
    missing_days: Type.Array(dayRangeSchema, {
      description:
        'The days of the window, from 2021-04-14 to the newest release, of which the service has no release, as ranges, oldest first. On other days without an item in series, the CVE had no score.',
    }),
    first_scored: orNull(daySchema('First day on which the service has a score of the CVE; null if it has none.')),
    lev: Type.Union([levSchema, Type.Null()], { description: 'LEV in the window; null if no_lev_reason says why.' }),
    no_lev_reason: wordOrNull(
      Object.keys(NO_LEV_REASONS),
      `Why there is no LEV. ${describeTable(NO_LEV_REASONS)} null: there is LEV.`,
    ),
  },
  'The EPSS scores of a CVE over time.',
)

const pointSchema = (description: string) =>
  closedObject({ date: daySchema('Day of the score.'), score: probability('The EPSS score.') }, description)

export const epssMoverSchema = closedObject(
  {
    cve_id: cveIdSchema(),
    earlier: pointSchema('The earlier score.'),
    later: pointSchema('The newest score.'),
    delta: Type.Number({ minimum: -1, maximum: 1, description: 'The newest score minus the earlier one.' }),
    ratio: orNull(
      Type.Number({
        minimum: 1,
        description: 'The larger of both scores divided by the smaller one; null if the smaller one is 0.',
      }),
    ),
    in_kev: flagSchema("Whether the CVE is in CISA's KEV catalog."),
    priority_level: wordOrNull(LEVELS, 'Priority level of the CVE; null for a rejected CVE.'),
  },
  'A CVE whose EPSS score moved.',
  'EpssMover',
)

export const moverWindowSchema = closedObject(
  {
    days: Type.Integer({ minimum: 1, description: 'Length of the window, as asked for.' }),
    from: orNull(
      daySchema(
        'First day of the window: the newest release at least that many days before the last one; null if the service has none.',
      ),
    ),
    to: orNull(daySchema('Last day of the window: the newest release; null if the service has none.')),
    comparable: flagSchema('Whether the scores of the first and the last day can be compared.'),
    not_comparable_reason: wordOrNull(
      Object.keys(NOT_COMPARABLE_REASONS),
      `Why they cannot be compared. ${describeTable(NOT_COMPARABLE_REASONS)} null: they can be compared.`,
    ),
  },
  'The days that are compared.',
)
