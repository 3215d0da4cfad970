// The part of the contract for the preview of a watch, and for the explanation of what it told.
import { Type } from 'typebox'
import { changeTypeSchema, positionSchema } from '../changes.ts'
import { describeTable } from '../describe-table.ts'
import {
  closedObject,
  countSchema,
  daySchema,
  flagSchema,
  instantSchema,
  orNull,
  textSchema,
} from '../response/schemas.ts'
import { kindsSchema } from '../watch-kinds.ts'

const dailySchema = (description: string) =>
  Type.Array(countSchema('Number of events of a UTC day.'), { maxItems: 31, description })

const cveIdSchema = () => Type.String({ pattern: '^CVE-\\d{4}-\\d{4,19}$', description: 'The CVE.' })

export const previewSchema = closedObject(
  {
    examined_since: orNull(
      instantSchema(
        'Changes after this time were judged. Later than asked if this service knows less, or if time was up: the numbers are then those of fewer days. Null if nothing is known.',
      ),
    ),
    is_complete: flagSchema('Whether all days that were asked for were judged.'),
    judged_days: Type.Array(daySchema('A UTC day.'), { description: 'The days that were judged, oldest first.' }),
    expected_total: countSchema('Events that the watch would have told, with what on says.'),
    expected_daily: dailySchema('The same for each of judged_days.'),
    per_week: Type.Optional(
      Type.Number({ minimum: 0, description: 'Events a week on average; absent with fewer than seven days.' }),
    ),
    warning: Type.Optional(textSchema('Advice, if more than 50 events a week are expected.')),
    by_kind: Type.Array(
      closedObject(
        {
          kind: textSchema('A word of on, whether the watch asks for it or not.'),
          count: countSchema('Changes to which it applies.'),
          daily: dailySchema('The same for each of judged_days.'),
        },
        'How often a word of on applies.',
        'KindCount',
      ),
      { description: 'All words of on that apply to a change; a change can have several.' },
    ),
    expected_events: Type.Array(
      closedObject(
        {
          cve_id: cveIdSchema(),
          on: kindsSchema('What the watch would have told.'),
          entered_by: Type.Array(Type.String(), { description: 'For entered: the filters that did not hold before.' }),
          recorded_at: instantSchema('When this service published the change.'),
          summary: textSchema('The event in plain sentences.'),
        },
        'An event that the watch would have told.',
        'ExpectedEvent',
      ),
      { maxItems: 20, description: 'The newest of them.' },
    ),
  },
  'What a watch would have told in the last days.',
  'WatchPreview',
)

const NO_EVENT_REASONS = {
  not_in_search: 'The CVE was in the search neither before nor after the change; failed_filters say why.',
  not_asked: 'The watch does not ask for what happened: other_kinds has the words.',
  nothing_to_tell: 'The CVE was in the search before and after, and no word of on applies.',
  recalculated:
    'The change has a cause without events of their own, such as new rules; a recalculated event counts the CVE with others.',
  not_watched: 'The watch did not exist then, or was paused. It is judged as it is now.',
  not_judged_yet: 'The change is not judged yet: try again in a moment.',
  not_recorded: 'There should be an event, but there is none. Please report this.',
} as const

export type NoEventReason = keyof typeof NO_EVENT_REASONS

export const explanationSchema = closedObject(
  {
    matches_now: flagSchema('Whether the CVE is in the search now.'),
    failed_now: Type.Array(Type.String(), {
      description: 'The filters that say no now; empty if it is in the search.',
    }),
    examined_since: orNull(instantSchema('Changes after this time are explained; null if nothing is known.')),
    is_complete: flagSchema('Whether all changes since then are listed: the newest 100 are.'),
    explained_changes: Type.Array(
      closedObject(
        {
          position: positionSchema('Position of the change in the change log.'),
          recorded_at: instantSchema('When this service recorded the change.'),
          at: orNull(daySchema('Day on which it happened according to upstream; null if none is known.')),
          types: Type.Array(changeTypeSchema(), { description: 'The types of the change.' }),
          cause: textSchema('Its cause, as in GET /api/v1/changes.'),
          matched_before: flagSchema('Whether the CVE was in the search before the change.'),
          matched_after: flagSchema('Whether it was in the search after the change.'),
          failed_filters: Type.Array(Type.String(), {
            description: 'The filters that said no after the change; empty if it was in the search or in no catalog.',
          }),
          entered_by: Type.Array(Type.String(), {
            description: 'If it entered: the filters that did not hold before; published for a new CVE.',
          }),
          on: kindsSchema('What the watch told.'),
          other_kinds: kindsSchema('What happened too, but the watch does not ask for.'),
          event_nr: orNull(Type.Integer({ minimum: 1, description: 'Number of the event; null if there is none.' })),
          muted: flagSchema('Whether the event was muted.'),
          no_event_because: orNull(
            Type.String({
              enum: [...Object.keys(NO_EVENT_REASONS), null],
              description: `Why there is no event; null if there is one. ${describeTable(NO_EVENT_REASONS)}`,
            }),
          ),
        },
        'A change of the CVE, and what the watch made of it.',
        'ExplainedChange',
      ),
      { maxItems: 100, description: 'The changes of the CVE, newest first.' },
    ),
  },
  'Why a watch told something about a CVE, or did not.',
  'WatchExplanation',
)
