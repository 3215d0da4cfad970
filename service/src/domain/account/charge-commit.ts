/**
 * How far a charge is stored before its call is answered (PostgreSQL's synchronous_commit). `on`: on the disks of the
 * primary and its synchronous replicas. `remote_write`: as `on`, but replicas have only written it to their operating
 * system. `remote_apply`: as `on`, and queries on replicas see it. `off`: in the primary's memory.
 */
export const CHARGE_COMMITS = ['on', 'remote_write', 'remote_apply', 'off'] as const

export type ChargeCommit = (typeof CHARGE_COMMITS)[number]

export const DEFAULT_CHARGE_COMMIT = 'on' satisfies ChargeCommit
