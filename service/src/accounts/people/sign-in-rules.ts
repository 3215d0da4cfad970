// The sign-in rules: who may sign up, with which quota, and which role a group gives. They are stored in a row that
// only the owner of the schema may write: a node or sign-in process that could choose them could give itself any right.
import { sql } from 'kysely'
import type { Database } from '../../database/postgres.ts'
import type { Operation } from '../audit.ts'

export interface SignInRules {
  readonly allowsSignUp: boolean
  readonly freeLimitHalf: number
  /** Maximum number of accounts that one network, or all addresses of one e-mail domain, may create within a day. */
  readonly signUpsPerNetwork: number
  readonly signUpsPerDomain: number
  /** E-mail domains that may sign in with OpenID Connect; empty if all may. */
  readonly emailDomains: readonly string[]
  /** The account that people join if a group gives them a role; null if groups give no roles. */
  readonly groupAccount: string | null
  readonly groupRoles: Readonly<Record<string, string>>
}

const COLUMNS = sql`
  allows_sign_up as "allowsSignUp",
  free_limit_half::integer as "freeLimitHalf",
  sign_ups_per_network as "signUpsPerNetwork",
  sign_ups_per_domain as "signUpsPerDomain",
  email_domains as "emailDomains",
  group_account as "groupAccount",
  group_roles as "groupRoles"
`

export async function readSignInRules(accounts: Database): Promise<SignInRules | undefined> {
  const { rows } = await sql<SignInRules>`select ${COLUMNS} from accounts.read_sign_in_rule()`.execute(accounts)
  return rows[0]
}

/** Returns whether the rules have changed. A change is recorded in the audit log. */
export async function storeSignInRules({ tx, operator }: Operation, rules: SignInRules): Promise<boolean> {
  const { rows } = await sql<SignInRules>`
    select ${COLUMNS} from accounts.sign_in_rule for update
  `.execute(tx)
  const [stored] = rows
  if (stored && areEqual(stored, rules)) return false
  await sql`
    update accounts.sign_in_rule
       set allows_sign_up = ${rules.allowsSignUp},
           free_limit_half = ${rules.freeLimitHalf},
           sign_ups_per_network = ${rules.signUpsPerNetwork},
           sign_ups_per_domain = ${rules.signUpsPerDomain},
           email_domains = ${rules.emailDomains},
           group_account = ${rules.groupAccount},
           group_roles = ${JSON.stringify(rules.groupRoles)}::jsonb,
           changed_at = now()
  `.execute(tx)
  await sql`
    insert into accounts.audit (actor, action, details)
    values (session_user || ' (' || ${operator}::text || ')', 'sign-in.rules', ${JSON.stringify(rules)}::jsonb)
  `.execute(tx)
  return true
}

export function areEqual(one: SignInRules, other: SignInRules): boolean {
  return toComparable(one) === toComparable(other)
}

function toComparable(rules: SignInRules): string {
  const { emailDomains, groupRoles } = rules
  return JSON.stringify({
    allowsSignUp: rules.allowsSignUp,
    freeLimitHalf: rules.freeLimitHalf,
    signUpsPerNetwork: rules.signUpsPerNetwork,
    signUpsPerDomain: rules.signUpsPerDomain,
    groupAccount: rules.groupAccount,
    emailDomains: [...emailDomains].sort(),
    groupRoles: Object.entries(groupRoles).sort(([a], [b]) => a.localeCompare(b)),
  })
}
