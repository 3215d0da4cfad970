// Roles of account members.

/** Roles, from fewest to most rights. */
const ROLES = ['viewer', 'admin', 'owner'] as const

export type Role = (typeof ROLES)[number]

/** The rights of each role, as shown on the pages. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'sees CVEs, usage and own sessions',
  admin: 'also manages keys, origins and members',
  owner: 'also manages owners',
}

/** Returns whether a role may manage keys, origins and members, and read the audit log. */
export function mayManage(role: Role | undefined): boolean {
  return role === 'admin' || role === 'owner'
}

/** Returns the roles that a person may give to others: only owners can make someone an owner. */
export function listGrantableRoles(role: Role): readonly Role[] {
  if (role === 'owner') return ROLES
  return role === 'admin' ? ['viewer', 'admin'] : []
}

/** Returns whether a person may change or remove a member: only owners manage owners. */
export function mayManageMember(role: Role, member: Role): boolean {
  return mayManage(role) && (role === 'owner' || member !== 'owner')
}
