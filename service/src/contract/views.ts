// The part of the contract for saved searches: value types, schemas, and errors when views are changed.
import { Type } from 'typebox'
import { optionalField, optionalList, requiredField } from './request/body.ts'
import { flag, integer, type ValueType, withExample } from './request/value-types.ts'
import { ApiError } from './response/errors.ts'
import { closedObject, flagSchema, instantSchema, orNull, textSchema } from './response/schemas.ts'
import { kindsSchema } from './watch-kinds.ts'

const SAVED_ID = /^[1-9]\d{0,17}$/
const ID = /^(?:[1-9]\d{0,17}|[a-z]{1,20}(?:-[a-z]{1,20}){0,5})$/
const MAX_NAME_LENGTH = 100
const CONTROL_CHARACTERS = /\p{Cc}/u
const COLUMN = /^[a-z][a-z_]{0,39}$/
const MAX_COLUMNS = 30
const MAX_PLACE = 10_000

export const isSavedId = (id: string): boolean => SAVED_ID.test(id)

export function viewIdType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: ID.source, examples: ['7', 'new-in-kev'] }),
    expects: 'the id of a view, such as 7 or new-in-kev; GET /api/v1/views lists the ids',
    example: 'new-in-kev',
    parse: (sent) => (ID.test(sent) ? sent : undefined),
  }
}

export function viewNameType(): ValueType<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, examples: ['Fortinet, exploited'] }),
    expects: `a name of 1 to ${MAX_NAME_LENGTH} characters in one line`,
    example: 'Fortinet, exploited',
    parse: (sent) => {
      const name = sent.trim()
      const isValid = name !== '' && Array.from(name).length <= MAX_NAME_LENGTH && !CONTROL_CHARACTERS.test(name)
      return isValid ? name : undefined
    },
  }
}

function columnType(): ValueType<string> {
  return {
    schema: Type.String({ pattern: COLUMN.source, examples: ['priority', 'epss'] }),
    expects: 'the name of a column in small letters, such as priority',
    example: 'priority',
    parse: (sent) => (COLUMN.test(sent) ? sent : undefined),
  }
}

export const revisionType = () => withExample(integer({ minimum: 1 }), 1)

/** The fields of a new or changed view, without its query, which only the filters can read. */
export const viewFields = {
  name: requiredField(viewNameType(), 'Name of the view. Neither two own nor two shared views have the same name.'),
  columns: optionalList(
    columnType(),
    "Columns to show, in order. A client ignores names that it does not know. Without columns: the client's own choice.",
    { maxItems: MAX_COLUMNS },
  ),
  place: optionalField(
    withExample(integer({ minimum: 0, maximum: MAX_PLACE }), 10),
    'Place in lists: smaller numbers come first. Without it, a new view gets 0 and a changed one keeps its place.',
  ),
  shared: optionalField(
    flag(),
    "Whether all members of the account see the view. Without it, a new view is the member's own, a key's is shared, and a changed view stays as it is.",
  ),
}

export const viewSchema = closedObject(
  {
    id: Type.String({ pattern: ID.source, description: 'Id of the view.', examples: ['7', 'new-in-kev'] }),
    name: textSchema('Name of the view.'),
    note: orNull(textSchema('What a built-in view shows, and what it does not say; null for a saved one.')),
    query: Type.String({
      description:
        'The saved query: filters and sort of GET /api/v1/cves as a query string. Days can be relative to the day on which it runs: today-7d.',
      examples: ['kev_added_after=today-30d&sort=priority_desc'],
    }),
    search: Type.String({
      description:
        'The same query with the days of now (UTC, see meta.timestamp): send it as the query string of GET /api/v1/cves.',
      examples: ['kev_added_after=2026-07-23&sort=priority_desc'],
    }),
    columns: orNull(
      Type.Array(Type.String({ pattern: COLUMN.source }), {
        description: "Columns to show, in order; null for the client's own choice.",
      }),
    ),
    on: orNull(
      kindsSchema('What the view tells as a watch (GET /api/v1/watches); null for a view that is not watched.'),
    ),
    built_in: flagSchema('Whether every account has the view. Built-in views cannot be changed.'),
    shared: flagSchema('Whether all members of the account see the view.'),
    own: flagSchema('Whether the signed-in member saved the view.'),
    member_id: orNull(
      textSchema(
        'Id of the member who saved the view; null for a built-in view, for one that a key saved, and if the member has left.',
      ),
    ),
    place: Type.Integer({ minimum: 0, description: 'Place in lists: smaller numbers come first.' }),
    revision: Type.Integer({
      minimum: 0,
      description:
        'Grows with each change. Send it with a change, so that you do not overwrite what you have not seen. 0 for a built-in view.',
    }),
    created_at: orNull(instantSchema('When the view was saved; null for a built-in one.')),
    changed_at: orNull(instantSchema('When the view was changed last; null for a built-in one.')),
  },
  'A saved search.',
  'View',
)

export const viewRightsSchema = closedObject(
  {
    reads_saved: flagSchema(
      'Whether the answer has saved views. A session that was opened with a key needs a key with the scope watch.',
    ),
    saves_own: flagSchema('Whether the caller can save views that no one else sees. Only members can.'),
    saves_shared: flagSchema('Whether the caller can save, change and remove shared views.'),
  },
  'What the caller may do with views.',
  'ViewRights',
)

export interface View {
  readonly id: string
  readonly memberId: string | null
  readonly isShared: boolean
  readonly isOwn: boolean
  readonly name: string
  readonly query: string
  readonly columns: readonly string[] | null
  /** Null for a view that is not watched. */
  readonly kinds: readonly string[] | null
  readonly place: number
  readonly revision: number
  readonly createdAt: Date
  readonly changedAt: Date
}

/**
 * Creates the error for an id that the caller cannot see, whether or not another account or member has it.
 */
export function noSuchView(id: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no view ${id} for this caller. GET /api/v1/views lists the views.`)
}

export function builtInView(id: string): ApiError {
  return new ApiError(
    'CONFLICT',
    `The view ${id} is built in and cannot be changed or removed. Save a view with the same query under another name.`,
    { details: { built_in: true } },
  )
}

const MAX_SHARED = 100
const MAX_OWN = 50
const MAX_CHANGES_PER_DAY = 200

export function changedMeanwhile({ id, revision }: Pick<View, 'id' | 'revision'>): ApiError {
  return new ApiError(
    'CONFLICT',
    `View ${id} was changed meanwhile: it has the revision ${revision} now. Read it again, then repeat your change.`,
    { details: { revision } },
  )
}

export function nameTaken(): ApiError {
  return new ApiError('CONFLICT', 'Another view has this name already. Choose another name, or change that view.', {
    parameter: 'name',
  })
}

export function tooManyViews(isShared: boolean): ApiError {
  const limit = isShared ? MAX_SHARED : MAX_OWN
  const owner = isShared ? `The account has ${limit} shared views` : `You have ${limit} views of your own`
  return new ApiError(
    'CONFLICT',
    `${owner}, which is the limit. Remove one that is not used any more, then try again.`,
    {
      details: { limit },
    },
  )
}

export function tooManyViewChanges(): ApiError {
  return new ApiError(
    'CONFLICT',
    `The shared views of this account were changed ${MAX_CHANGES_PER_DAY} times within 24 hours, which is the limit. Try again later.`,
    { details: { limit: MAX_CHANGES_PER_DAY } },
  )
}

export function sharingRefused(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'Only admins and owners of the account, and keys with the scope watch, save, change and remove shared views. Members can save views of their own.',
    { details: { required_role: 'admin' } },
  )
}

export function memberRequired(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'A key belongs to the account and not to a person, so it has no views of its own: send shared: true, or sign in to the console as a member.',
    { details: { reason: 'member' } },
  )
}

export function sharedByOther(id: string): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `Another member saved view ${id}, and only that member can stop sharing it. Remove it instead.`,
    { details: { reason: 'member' } },
  )
}
