/** `read`: the catalog and the account's usage. `manage`: the account's keys, browser origins and members. */
export const SCOPES = ['read', 'manage'] as const

export type Scope = (typeof SCOPES)[number]

/** Ignores scopes introduced by a newer version: they grant no rights in this one. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => texts.includes(scope))
}
