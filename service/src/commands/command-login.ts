// The database role that each command needs, and the setting that contains its login.

interface CommandLogin {
  readonly role: 'vis_api' | 'vis_feeds' | 'vis_identity' | 'vis_jobs' | 'vis_migrate' | 'vis_notify'
  readonly setting: string
}

const NODE: CommandLogin = { role: 'vis_api', setting: 'DATABASE_URL' }
const FEEDS: CommandLogin = { role: 'vis_feeds', setting: 'DATABASE_URL' }
const IDENTITY: CommandLogin = {
  role: 'vis_identity',
  setting: 'IDENTITY_DATABASE_URL, ACCOUNTS_DATABASE_URL or DATABASE_URL',
}
const JOBS: CommandLogin = {
  role: 'vis_jobs',
  setting: 'JOBS_DATABASE_URL, ACCOUNTS_DATABASE_URL or DATABASE_URL',
}
const NOTIFY: CommandLogin = {
  role: 'vis_notify',
  setting: 'NOTIFY_DATABASE_URL, ACCOUNTS_DATABASE_URL or DATABASE_URL',
}
const ACCOUNTS_OWNER: CommandLogin = {
  role: 'vis_migrate',
  setting: 'ACCOUNTS_DATABASE_OWNER_URL, DATABASE_OWNER_URL or DATABASE_URL',
}

/** A release's script deploy/vis-server.sh chooses the login of a command by the same rules. */
const LOGINS: ReadonlyMap<string, CommandLogin> = new Map([
  ['serve', NODE],
  ['worker', FEEDS],
  ['identity', IDENTITY],
  ['jobs', JOBS],
  ['notify', NOTIFY],
  ['sync', FEEDS],
  ['feeds', FEEDS],
  ['catalog', FEEDS],
  ['migrate', { role: 'vis_migrate', setting: 'DATABASE_OWNER_URL or DATABASE_URL' }],
  ['accounts', ACCOUNTS_OWNER],
  ['keys', ACCOUNTS_OWNER],
  ['members', ACCOUNTS_OWNER],
  ['sessions', ACCOUNTS_OWNER],
  ['audit', ACCOUNTS_OWNER],
  ['usage', ACCOUNTS_OWNER],
])

export function describeLogin(commandName: string): string {
  const login = LOGINS.get(commandName)
  if (login === undefined) return ''
  return `vis-server ${commandName} needs a login with the role ${login.role} in ${login.setting}.`
}

export function describeIdentityLogin(error: unknown): string | undefined {
  if (!isPermissionDenied(error)) return undefined
  return `Members cannot sign in: deciding about sign-ins needs a login with the role ${IDENTITY.role} in IDENTITY_DATABASE_URL. Everything else works.`
}

export function describeJobsLogin(error: unknown): string | undefined {
  if (!isPermissionDenied(error)) return undefined
  return `No mails are sent, and the ledger and snapshots are not maintained: jobs need a login with the role ${JOBS.role} in JOBS_DATABASE_URL. Everything else works.`
}

export function describeNotifyLogin(error: unknown): string | undefined {
  if (!isPermissionDenied(error)) return undefined
  return `Watches tell nothing: judging changes needs a login with the role ${NOTIFY.role} in NOTIFY_DATABASE_URL. Everything else works.`
}

export function isPermissionDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}
