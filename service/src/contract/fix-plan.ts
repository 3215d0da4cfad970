// Schema of the fix plan in responses about affected components.
import { Type } from 'typebox'
import { SEEN_IN, SEEN_IN_TEXT } from '../domain/match-words.ts'
import { LEVELS } from '../domain/priority/policy.ts'
import { STEP_KINDS } from '../domain/version/step-kind.ts'
import { closedObject, countSchema, orNull, textSchema, wordOrNull } from './response/schemas.ts'

const idsSchema = (description: string) =>
  Type.Array(Type.String(), { description: `${description} At most matches_per_component ids, most urgent first.` })

const dependencySchema = closedObject(
  {
    index: Type.Optional(
      countSchema('Position of the entry in the document. Absent if the document has no such entry.'),
    ),
    name: textSchema('Name of the entry; empty if it has none that can be read.'),
    version: orNull(textSchema('Version of the entry; null if it has none.')),
  },
  'An entry of the document.',
  'PlannedDependency',
)

const plannedFixSchema = closedObject(
  {
    package: closedObject(
      {
        vendor: orNull(textSchema('CPE vendor, or type and namespace of the package; null if none was sent.')),
        product: textSchema('CPE product, or name of the package.'),
      },
      'The package or product, as the service understood it.',
    ),
    from_version: textSchema('The installed version.'),
    to_version: textSchema(
      'The planned version: the smallest step with which as few matches at P0 to P2 remain as with any known version, and within it the nearest version with the fewest remaining matches. Never lower than from_version, and a pre-release only if from_version is one.',
    ),
    seen_in: Type.Enum([...SEEN_IN], { description: SEEN_IN_TEXT }),
    kind: Type.Enum([...STEP_KINDS], {
      description:
        'The size of the step: major if the first number of the version or its epoch changes, minor if the second does, patch otherwise.',
    }),
    resolves_total: countSchema('Number of matches that the planned version does not have.'),
    resolves: Type.Array(
      closedObject(
        {
          level: wordOrNull(LEVELS, 'Priority level; null for a rejected CVE.'),
          total: countSchema('Number of matches of this level that the planned version does not have.'),
          ids: idsSchema('Their ids.'),
        },
        'Matches of one level.',
      ),
      { description: 'The matches that the planned version does not have, by level, the most urgent level first.' },
    ),
    remains_total: countSchema('Number of matches that the planned version has too.'),
    remains: idsSchema(
      'Matches of the installed version that affect the planned version, possibly affect it, or cannot be compared with it.',
    ),
    introduces_total: countSchema('Number of matches that only the planned version has.'),
    introduces: idsSchema('Matches of the planned version that the installed version does not have.'),
    path: orNull(
      Type.Array(dependencySchema, {
        description:
          'The shortest path by which the component gets into the software, from the direct dependency to the component itself; a direct dependency is alone. At most 20 entries: of a longer path the first 10 and the last 10. null if the document shows none, and in answers of POST /api/v1/match.',
      }),
    ),
    direct_dependencies: Type.Array(dependencySchema, {
      maxItems: 10,
      description: 'The direct dependencies that bring the component in, at most 10. Empty if path is null.',
    }),
    indexes: Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'index of each component of the response for which the line stands.',
    }),
  },
  'The next version of a package.',
  'PlannedFix',
)

/** A member of responses that list matched components. */
export const fixPlanSchema = (remark = '') =>
  Type.Array(plannedFixSchema, {
    description:
      `The next version of each package, the line that removes most urgency first: what it resolves and what remains, as matching that version shows. Packages for which no version with fewer or less urgent matches is known are not listed. ${remark}`.trim(),
  })
