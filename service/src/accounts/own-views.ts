// Saved searches of the caller's own account. Database functions decide what the credential may see and change.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/postgres.ts'
import { type Credential, translateRefusal } from './keys/credential.ts'

export interface ViewRow {
  readonly id: string
  readonly memberId: string | null
  readonly isShared: boolean
  /** Whether the caller's member saved it. */
  readonly isOwn: boolean
  readonly name: string
  readonly query: string
  readonly columns: readonly string[] | null
  /** What the view tells as a watch; null for one that is not watched. */
  readonly kinds: readonly string[] | null
  readonly place: number
  readonly revision: number
  readonly createdAt: Date
  readonly changedAt: Date
}

export interface ViewRights {
  readonly readsSaved: boolean
  readonly savesOwn: boolean
  readonly shares: boolean
}

export interface ViewContent {
  readonly name: string
  readonly query: string
  /** Null for the client's own choice. */
  readonly columns: readonly string[] | null
  /** Undefined keeps the place of a view; a new one gets 0. */
  readonly place: number | undefined
  /** Undefined keeps it as it is; a new view is the member's own, and a key's is shared. */
  readonly isShared: boolean | undefined
}

type ViewOutcome =
  | 'done'
  | 'unknown'
  | 'conflict'
  | 'name'
  | 'limit'
  | 'shared limit'
  | 'role'
  | 'member'
  | 'owner'
  | 'watched'
  | 'forbidden'
  | 'too many'

/** The view after the change, or as it is if the change was refused. */
export interface ViewChange {
  readonly outcome: ViewOutcome
  readonly view: ViewRow | undefined
}

export async function readViewRights(accounts: Database, { kind, digest }: Credential): Promise<ViewRights> {
  const { rows } = await translateRefusal(
    sql<ViewRights>`
      select reads_saved as "readsSaved", saves_own as "savesOwn", shares
        from accounts.read_view_rights(${kind}, decode(${digest}, 'hex'))
    `.execute(accounts),
  )
  const [row] = rows
  if (!row) throw new Error('accounts.read_view_rights returned no row')
  return row
}

/** Returns what the credential may see, in the order of display. */
export async function readOwnViews(accounts: Database, { kind, digest }: Credential): Promise<readonly ViewRow[]> {
  const { rows } = await translateRefusal(
    sql<ViewRow>`
      select ${COLUMNS} from accounts.read_views(${kind}, decode(${digest}, 'hex')) saved
    `.execute(accounts),
  )
  return rows
}

export async function createOwnView(accounts: Database, credential: Credential, content: ViewContent) {
  return saveView(accounts, credential, null, null, content)
}

/** Later revisions cannot be stored, so they are as wrong as this one. */
const MAX_REVISION = 2 ** 31 - 1

const limitRevision = (revision: number | undefined) =>
  revision === undefined ? null : Math.min(revision, MAX_REVISION)

export async function changeOwnView(
  accounts: Database,
  credential: Credential,
  { id, revision }: { readonly id: string; readonly revision: number },
  content: ViewContent,
): Promise<ViewChange> {
  return saveView(accounts, credential, id, limitRevision(revision), content)
}

export async function removeOwnView(
  accounts: Database,
  { kind, digest }: Credential,
  { id, revision }: { readonly id: string; readonly revision: number | undefined },
): Promise<ViewChange> {
  return change(
    accounts,
    sql`accounts.remove_view(${kind}, decode(${digest}, 'hex'), ${id}, ${limitRevision(revision)})`,
  )
}

function saveView(
  accounts: Database,
  { kind, digest }: Credential,
  id: string | null,
  revision: number | null,
  { name, query, columns, place, isShared }: ViewContent,
): Promise<ViewChange> {
  return change(
    accounts,
    sql`accounts.save_view(
      ${kind}, decode(${digest}, 'hex'), ${id}, ${revision}, ${name}, ${query}, ${columns}, ${place ?? null},
      ${isShared ?? null})`,
  )
}

async function change(accounts: Database, call: RawBuilder<unknown>): Promise<ViewChange> {
  const { rows } = await translateRefusal(
    sql<ViewRow & { readonly outcome: ViewOutcome }>`select saved.outcome, ${COLUMNS} from ${call} saved`.execute(
      accounts,
    ),
  )
  const [row] = rows
  if (!row) throw new Error('the change of a view returned no row')
  return { outcome: row.outcome, view: row.id === null ? undefined : row }
}

const COLUMNS = sql`
  (saved.view).id, (saved.view).member_id as "memberId", (saved.view).is_shared as "isShared",
  saved.is_own as "isOwn", (saved.view).name, (saved.view).query, (saved.view).columns, (saved.view).kinds, (saved.view).place,
  (saved.view).revision, (saved.view).created_at as "createdAt", (saved.view).changed_at as "changedAt"
`
