/** Ordered from the fewest rights to the most. */
export const ROLES = ['viewer', 'admin', 'owner'] as const

export type Role = (typeof ROLES)[number]

export function hasRightsOf(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required)
}

export function parseRole(text: string): Role | undefined {
  return ROLES.find((role) => role === text)
}
