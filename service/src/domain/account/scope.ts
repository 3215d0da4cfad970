/** `read`: the catalog and the account's usage. `manage`: the account's keys, browser origins and members. */
export const SCOPES = ['read', 'manage'] as const

export type Scope = (typeof SCOPES)[number]

/** Ignores scopes that only a newer version knows: they grant no rights in this one. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => texts.includes(scope))
}
