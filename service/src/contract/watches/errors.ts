// The errors of calls about watches, events and feeds.
import { ApiError } from '../response/errors.ts'

/** The same for an id that no account has and for one of another account. */
export function noSuchWatch(id: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no watch ${id} for this caller. GET /api/v1/watches lists the watches.`)
}

export function noSuchSharedView(id: string): ApiError {
  return new ApiError('NOT_FOUND', `There is no view ${id} for this caller. GET /api/v1/views lists the views.`, {
    parameter: 'view_id',
    value: id,
  })
}

export function viewNotShared(id: string): ApiError {
  return new ApiError(
    'CONFLICT',
    `View ${id} is your own, and only shared views can be watched, because their events are for the whole account. Share it with POST /api/v1/views/${id}, then watch it.`,
    { parameter: 'view_id', details: { shared: false } },
  )
}

export function watchedAlready(id: string): ApiError {
  return new ApiError('CONFLICT', `View ${id} is watched already. Change it with POST /api/v1/watches/${id}.`, {
    parameter: 'view_id',
    details: { watched: true },
  })
}

/** Creates the error for a change of a view that would change or end a watch. */
export function viewIsWatched(id: string): ApiError {
  return new ApiError(
    'CONFLICT',
    `View ${id} is watched. Change its query with POST /api/v1/watches/${id}; end the watch with POST /api/v1/watches/${id}/remove, which can keep the view.`,
    { details: { watched: true } },
  )
}

export function watchChanged(id: string, revision: number): ApiError {
  return new ApiError(
    'CONFLICT',
    `Watch ${id} was changed meanwhile: it has the revision ${revision} now. Read it again, then repeat your change.`,
    { details: { revision } },
  )
}

export function tooManyWatches(limit: number): ApiError {
  return new ApiError(
    'CONFLICT',
    `The plan of this account allows ${limit} watches. Remove one that is not needed any more, or ask for a larger plan.`,
    { details: { limit } },
  )
}

export function tooManyFeeds(limit: number): ApiError {
  return new ApiError(
    'CONFLICT',
    `The plan of this account allows ${limit} feeds. Remove one that is not read any more, or ask for a larger plan.`,
    { details: { limit } },
  )
}

export function feedExists(id: string): ApiError {
  return new ApiError(
    'CONFLICT',
    `Watch ${id} has a feed, whose address was shown once. POST /api/v1/watches/${id}/feed/rotate gives it another address and ends the one before.`,
    { details: { feed: true } },
  )
}

export function noFeed(id: string): ApiError {
  return new ApiError('NOT_FOUND', `Watch ${id} has no feed. POST /api/v1/watches/${id}/feed makes one.`)
}

/** The same for an address that never existed and for one that ended. */
export function noSuchFeed(): ApiError {
  return new ApiError(
    'NOT_FOUND',
    'There is no feed at this address: it was never made, was removed, or got another address. An admin of the account makes a new one.',
  )
}

export function watchChangeRefused(): ApiError {
  return new ApiError(
    'FORBIDDEN',
    'Only admins and owners of the account, and keys with the scope watch, create, change, snooze and remove watches.',
    { details: { required_role: 'admin' } },
  )
}

/** Creates the error for a number of an event whose later events are not all kept. */
export function eventsGone(
  since: number,
  details: { readonly oldest_nr: number; readonly newest_nr: number },
): ApiError {
  return new ApiError(
    'GONE',
    `Events after ${since} are no longer kept: the oldest one is ${details.oldest_nr}. Continue with since=start, and use the search of each watch for what is older.`,
    { parameter: 'since', value: since, details },
  )
}

/** Creates the error for a number that no event has yet, such as after a restore of the database. */
export function eventsAhead(
  since: number,
  details: { readonly oldest_nr: number; readonly newest_nr: number },
): ApiError {
  return new ApiError(
    'GONE',
    `There is no event ${since} yet: the newest one is ${details.newest_nr}. If you had a higher number, the database was restored: continue with since=start and compare the ids of the events with those that you know.`,
    { parameter: 'since', value: since, details },
  )
}
