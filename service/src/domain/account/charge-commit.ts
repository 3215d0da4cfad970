// How far a charge is stored before its call is answered: values of PostgreSQL's setting synchronous_commit.

/**
 * `on`: on the disk of the primary, and of the synchronous replicas if there are any. `remote_write`: as `on`, but a
 * replica has only written it to its operating system. `remote_apply`: as `on`, and queries on the replica see it. `off`:
 * in the memory of the primary.
 */
export const CHARGE_COMMITS = ['on', 'remote_write', 'remote_apply', 'off'] as const

export type ChargeCommit = (typeof CHARGE_COMMITS)[number]

export const DEFAULT_CHARGE_COMMIT = 'on' satisfies ChargeCommit
