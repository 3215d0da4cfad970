// The add-on `events`: why a CVE is recent. It depends on the period of the request, so it is not stored: the statement
// that finds the recent CVEs reads it.
import { Type } from 'typebox'
import { EVENT_KINDS } from '../../../domain/exploitation/event-kind.ts'
import { closedObject, instantSchema } from '../../response/schemas.ts'
import { defineAddOn } from '../cve-member.ts'

const eventSchema = closedObject(
  {
    kind: Type.Enum([...EVENT_KINDS], {
      description:
        'published, modified; kev_added, kev_removed: KEV catalog of CISA; eu_kev_added, eu_kev_removed: EU KEV of ENISA; acsc_notice: an ACSC notice named the CVE.',
    }),
    time: instantSchema(
      'Time of the event. For a KEV catalog or a notice, it is the later of its own date and the time at which this service first published it.',
    ),
  },
  'An event within the period.',
  'RecentEvent',
)

export const events = defineAddOn<'events', never>({
  name: 'events',
  schema: Type.Array(eventSchema, { minItems: 1, description: 'Events within the period, newest first.' }),
  availableIn: ['recent'],
  render: ({ events: found }) => found && JSON.stringify(found),
})
