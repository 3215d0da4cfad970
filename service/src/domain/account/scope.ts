/**
 * Rights of an API key. `read`: read the catalog and the usage of the account. `manage`: manage the keys, the browser
 * origins and the members of the account.
 */
export const SCOPES = ['read', 'manage'] as const

export type Scope = (typeof SCOPES)[number]

/** Returns the known scopes among the texts. Scopes of a newer version give no rights in this one. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => texts.includes(scope))
}
