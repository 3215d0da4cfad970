// What the endpoints of saved searches share: how a query is read and shown, and the error of each outcome.
import { Type } from 'typebox'
import type { ViewChange, ViewRow } from '../../accounts/own-views.ts'
import type { BodyField } from '../../contract/request/body.ts'
import { createIssue, createMissingIssue } from '../../contract/request/validation-issue.ts'
import { type ApiError, scopeRefused } from '../../contract/response/errors.ts'
import {
  changedMeanwhile,
  memberRequired,
  nameTaken,
  noSuchView,
  sharedByOther,
  sharingRefused,
  tooManyViewChanges,
  tooManyViews,
  viewFields,
} from '../../contract/views.ts'
import { viewIsWatched } from '../../contract/watches/errors.ts'
import { formatInstant } from '../../domain/instant.ts'
import { BUILT_IN_VIEWS, type BuiltInView } from '../../search/views/built-in.ts'
import { MAX_QUERY_LENGTH, readViewQuery, toSearch } from '../../search/views/view-query.ts'

const QUERY_FORM =
  'a query string with filters and sort of GET /api/v1/cves, such as kev_added_after=today-30d&sort=priority_desc'

/** Issues name the parameters of the query as in `query.severity`, with the messages of GET /api/v1/cves. */
const queryField: BodyField<string> = {
  schema: Type.String({
    maxLength: MAX_QUERY_LENGTH,
    description:
      'Filters and sort of GET /api/v1/cves as a query string, without fields, include, limit and after. A day can be relative to the day on which the query runs (UTC): today, or today-7d.',
    examples: ['kev_added_after=today-30d&sort=priority_desc'],
  }),
  isRequired: true,
  read: (name, sent) => {
    if (sent === undefined) return { issues: [createMissingIssue(name, QUERY_FORM)] }
    if (typeof sent !== 'string' || sent.length > MAX_QUERY_LENGTH * 3)
      return { issues: [createIssue(name, sent, `${QUERY_FORM}, of at most ${MAX_QUERY_LENGTH} characters`)] }
    // The day matters only for the order of the ends of a range.
    const reading = readViewQuery(sent.replace(/^\?/, ''), new Date())
    if ('value' in reading) return reading
    return {
      issues: reading.issues.map((issue) => ({
        ...issue,
        parameter: issue.parameter === '' ? name : `${name}.${issue.parameter}`,
        ...(issue.subject !== undefined && {
          subject: issue.subject.replace(issue.parameter, `${name}.${issue.parameter}`),
        }),
      })),
    }
  },
}

export const VIEW_BODY = {
  name: viewFields.name,
  query: queryField,
  columns: viewFields.columns,
  place: viewFields.place,
  shared: viewFields.shared,
}

interface ViewBody {
  readonly name: string
  readonly query: string
  readonly columns: readonly string[] | undefined
  readonly place: number | undefined
  readonly shared: boolean | undefined
}

export function toViewContent({ name, query, columns, place, shared }: ViewBody) {
  return { name, query, columns: columns === undefined ? null : [...new Set(columns)], place, isShared: shared }
}

export function renderView(view: ViewRow, now: Date) {
  return {
    id: view.id,
    name: view.name,
    note: null,
    query: view.query,
    search: toSearch(view.query, now),
    columns: view.columns,
    on: view.kinds,
    built_in: false,
    shared: view.isShared,
    own: view.isOwn,
    member_id: view.memberId,
    place: view.place,
    revision: view.revision,
    created_at: formatInstant(view.createdAt),
    changed_at: formatInstant(view.changedAt),
  }
}

export function renderBuiltInView({ id, name, note, query }: BuiltInView, now: Date) {
  return {
    id,
    name,
    note,
    query,
    search: toSearch(query, now),
    columns: null,
    on: null,
    built_in: true,
    shared: true,
    own: false,
    member_id: null,
    place: 0,
    revision: 0,
    created_at: null,
    changed_at: null,
  }
}

export const findBuiltIn = (id: string): BuiltInView | undefined => BUILT_IN_VIEWS.find((view) => view.id === id)

/** Returns the view after a change. Throws the error of an outcome other than `done`. */
export function requireChanged({ outcome, view }: ViewChange, id: string): ViewRow {
  if (outcome === 'done' && view) return view
  throw toError({ outcome, view }, id)
}

function toError({ outcome, view }: ViewChange, id: string): ApiError {
  switch (outcome) {
    case 'conflict':
      return changedMeanwhile(view ?? { id, revision: 0 })
    case 'name':
      return nameTaken()
    case 'limit':
      return tooManyViews(false)
    case 'shared limit':
      return tooManyViews(true)
    case 'role':
      return sharingRefused()
    case 'member':
      return memberRequired()
    case 'owner':
      return sharedByOther(id)
    case 'watched':
      return viewIsWatched(view?.id ?? id)
    case 'too many':
      return tooManyViewChanges()
    case 'forbidden':
      return scopeRefused('watch')
    default:
      return noSuchView(id)
  }
}
