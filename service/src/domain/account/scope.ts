/**
 * `read`: the catalog and the account's usage. `manage`: the account's keys, browser origins and members. `watch`: what
 * the account saved to look at again, such as shared views; what somebody watches is not for every program that reads.
 * `triage`: the account's decisions about CVEs.
 */
export const SCOPES = ['read', 'manage', 'watch', 'triage'] as const

export type Scope = (typeof SCOPES)[number]

/** Ignores scopes introduced by a newer version: they grant no rights in this one. */
export function parseScopes(texts: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => texts.includes(scope))
}
