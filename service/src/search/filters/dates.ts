// Filters by the dates of a CVE.
import { sql } from 'kysely'
import { optional } from '../../contract/request/parameters.ts'
import { date, type Moment, moment } from '../../contract/request/value-types.ts'
import { formatDay } from '../../domain/instant.ts'
import { testColumn, testNumber } from '../column-values.ts'
import { COUNTED_CHANGE } from '../counted-changes.ts'
import { defineFilter } from '../filter.ts'

const notLaterThan = (filter: string) => ({
  filter,
  message: `must not be later than ${filter}`,
  isExceeded: (after: Moment, before: Moment) => after.first > before.last,
})

export const publishedAfter = defineFilter({
  label: 'published from',
  parameter: optional(moment(), 'Published at or after this time.'),
  lists: ['search'],
  condition: ({ first }) => sql`cve.published >= ${first}`,
  test: ({ first }) => testNumber('published', (published) => published >= first.getTime()),
  boundedColumn: 'published',
  upperEnd: notLaterThan('published_before'),
  normalise: ({ first }) => first,
})

export const publishedBefore = defineFilter({
  label: 'published until',
  parameter: optional(moment(), 'Published at or before this time. A date means the end of that day.'),
  lists: ['search'],
  condition: ({ last }) => sql`cve.published <= ${last}`,
  test: ({ last }) => testNumber('published', (published) => published <= last.getTime()),
  boundedColumn: 'published',
  normalise: ({ last }) => last,
})

export const modifiedAfter = defineFilter({
  label: 'modified from',
  parameter: optional(moment(), 'Modified at or after this time.'),
  lists: ['search'],
  condition: ({ first }) => sql`cve.modified >= ${first}`,
  test: ({ first }) => testNumber('modified', (modified) => modified >= first.getTime()),
  boundedColumn: 'modified',
  upperEnd: notLaterThan('modified_before'),
  normalise: ({ first }) => first,
})

export const modifiedBefore = defineFilter({
  label: 'modified until',
  parameter: optional(moment(), 'Modified at or before this time. A date means the end of that day.'),
  lists: ['search'],
  condition: ({ last }) => sql`cve.modified <= ${last}`,
  test: ({ last }) => testNumber('modified', (modified) => modified <= last.getTime()),
  boundedColumn: 'modified',
  normalise: ({ last }) => last,
})

export const kevAddedAfter = defineFilter({
  label: 'in KEV from',
  parameter: optional(date(), "Added to CISA's KEV catalog on or after this date."),
  lists: ['search', 'recent'],
  reads: 'kev',
  condition: (day) => sql`kev.date_added >= ${formatDay(day)}`,
  test: (day) => testColumn('kev_added', (added) => added !== null && added >= formatDay(day)),
  upperEnd: {
    filter: 'kev_added_before',
    message: 'must not be later than kev_added_before',
    isExceeded: (after, before) => after > before,
  },
  normalise: formatDay,
})

export const kevAddedBefore = defineFilter({
  label: 'in KEV until',
  parameter: optional(date(), "Added to CISA's KEV catalog on or before this date."),
  lists: ['search', 'recent'],
  reads: 'kev',
  condition: (day) => sql`kev.date_added <= ${formatDay(day)}`,
  test: (day) => testColumn('kev_added', (added) => added !== null && added <= formatDay(day)),
  normalise: formatDay,
})

export const becameUrgentAfter = defineFilter({
  label: 'became urgent from',
  parameter: optional(
    moment(),
    'Reached priority P0 or P1 at or after this time because upstream data changed: the change log has a change of type became_urgent. Older changes than the log keeps are not found.',
  ),
  lists: ['search'],
  condition: ({ first }) => sql`cve.cve_key in (
    select change.cve_key
      from catalog.change as change
     where ${COUNTED_CHANGE} and 'became_urgent' = any(change.types) and change.at >= ${first}
  )`,
  test: undefined,
  factTest: ({ first }) => ({ acceptsUrgentTimes: (times) => times.some((at) => at >= first.getTime()) }),
  findsFew: () => true,
  normalise: ({ first }) => first,
})
