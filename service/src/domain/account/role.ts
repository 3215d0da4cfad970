/** Roles of people in an account, from the fewest rights to the most. */
export const ROLES = ['viewer', 'admin', 'owner'] as const

export type Role = (typeof ROLES)[number]

/** Returns whether a role has at least the rights of another one. */
export function hasRightsOf(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required)
}

export function parseRole(text: string): Role | undefined {
  return ROLES.find((role) => role === text)
}
