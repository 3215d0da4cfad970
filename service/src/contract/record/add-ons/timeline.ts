// The add-on `timeline`: the dated facts of a CVE in lanes, and its EPSS scores since. The facts are those of other members.
// The scores are read apart from the record: their history can change while the record does not.
import { Type } from 'typebox'
import { MAX_WINDOW_DAYS } from '../../../domain/epss-series/days.ts'
import { MIN_MOVEMENT } from '../../../domain/epss-series/movements.ts'
import { EXPLOIT_MATURITIES } from '../../../domain/exploitation/exploit-maturity.ts'
import { buildTimeline, FACT_DAYS, FACT_KINDS, LANES } from '../../../domain/timeline/build-timeline.ts'
import { closedObject, countSchema, daySchema, flagSchema, textSchema } from '../../response/schemas.ts'
import { defineAddOn, type MemberRow } from '../cve-member.ts'
import { dayRangeSchema, modelChangeSchema } from '../epss-days.ts'
import { expandExploits } from './exploits.ts'
import { expandSources } from './sources.ts'

const members = {
  lane: Type.Enum([...LANES], {
    description:
      'known: the vulnerability became known. exploit: code or a proof of concept. exploited: a report of attacks. fix: a source named a fix.',
  }),
  kind: Type.Enum([...FACT_KINDS], {
    description:
      'published: the CVE. notice: of the ACSC. fix: a source names one. The others are as in exploits.evidence.',
  }),
  source: Type.Optional(textSchema('Organisation that says so, if the kind does not name it.')),
  id: Type.Optional(textSchema('As in exploits.evidence.')),
  module_rank: Type.Optional(textSchema("Metasploit's rank of the module.")),
  is_verified: Type.Optional(flagSchema('Whether Exploit-DB has verified the entry.')),
  url: Type.Optional(textSchema('Address of the evidence or of the notice: http or https.')),
  says: Type.Optional(textSchema('What the source says, or the title of the notice.')),
  maturity: Type.Optional(
    Type.Enum([...EXPLOIT_MATURITIES], { description: 'Maturity that this evidence shows by itself.' }),
  ),
  gone: Type.Optional(Type.Literal(true, { description: 'The publisher has removed the evidence from its list.' })),
}

const datedSchema = closedObject(
  {
    ...members,
    date: daySchema('Day of the fact.'),
    date_is: Type.Optional(
      Type.Enum([...FACT_DAYS], {
        description:
          'What date is, if it is not the day of the fact itself. first_seen: the day on which this service first saw undated evidence. latest: a day on which the source already named a fix. The others are as in exploits.evidence.',
      }),
    ),
  },
  'A fact with its day.',
  'TimelineFact',
)

const epssMovementsSchema = closedObject(
  {
    from: daySchema('First day of the window, five years before the last one.'),
    to: daySchema('Last day of the window.'),
    points: Type.Array(
      closedObject(
        {
          date: daySchema('Day of the score.'),
          score: Type.Number({ minimum: 0, maximum: 1, description: 'The EPSS score.' }),
        },
        'The EPSS score of a day.',
        'TimelineEpssPoint',
      ),
      {
        maxItems: MAX_WINDOW_DAYS,
        description: `The first and the last score, those around days without one, the first of each model, and those that differ from the point before by ${MIN_MOVEMENT} or more; oldest first. /epss has each day.`,
      },
    ),
    missing_days: Type.Array(dayRangeSchema, {
      description: 'Days between the first and the last point without a score, as ranges, oldest first.',
    }),
    model_changes: Type.Array(modelChangeSchema, {
      description: 'The changes of the EPSS model in the window, oldest first.',
    }),
  },
  'How the EPSS score moved. The points are empty if the CVE has no score in the window.',
  'EpssMovements',
)

type SourceColumn = 'published' | 'acsc' | 'exploits' | 'sources'

export const timeline = defineAddOn<'timeline', SourceColumn>({
  name: 'timeline',
  schema: closedObject(
    {
      dated: Type.Array(datedSchema, { description: 'Facts with a day, oldest first.' }),
      undated: Type.Array(closedObject(members, 'A fact without a day.', 'UndatedFact'), {
        description: 'Facts of which no source states a day.',
      }),
      omitted: countSchema('Number of pieces of evidence that are in neither list; /exploits has all.'),
      epss_movements: Type.Optional(epssMovementsSchema),
    },
    'What happened when, by lane.',
    'Timeline',
  ),
  alsoReads: ['published', 'acsc', 'exploits', 'sources'],
  availableIn: ['single'],
  // Evidence as in `exploits`, and the scores: 40 bytes for each day of a score that moves daily by a hundredth.
  size: { perCve: 96 * 1024, total: 96 * 1024 },
  render: (row) => JSON.stringify({ ...buildTimeline(readFacts(row)), epss_movements: row.epss_movements }),
})

/** The casts are safe: the columns hold the JSON text of members that this service rendered. */
function readFacts(row: MemberRow<SourceColumn>): Parameters<typeof buildTimeline>[0] {
  const { evidence, counts } = JSON.parse(expandExploits(row.exploits ?? 'null')) as {
    readonly evidence: Facts['evidence']
    readonly counts: Readonly<Record<string, number>>
  }
  const { fix } = (row.sources === undefined ? {} : JSON.parse(expandSources(row.sources, null))) as {
    readonly fix?: { readonly stated_by: Facts['fixes'] }
  }
  return {
    published: JSON.parse(row.published ?? 'null') as string | null,
    notices: JSON.parse(row.acsc ?? '[]') as Facts['notices'],
    evidence,
    evidenceCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
    fixes: fix?.stated_by ?? [],
  }
}

type Facts = Parameters<typeof buildTimeline>[0]
