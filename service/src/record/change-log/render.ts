import { listMembers } from '../../contract/record/cve-fields.ts'
import { DIFF_MEMBERS, type Diff, type DiffMember, OTHER_FIELDS } from '../../domain/change/change.ts'
import { formatPosition } from '../../domain/change/position.ts'
import { toCveId } from '../../domain/cve-id.ts'
import type { ChangeRow, LogPage } from './read-log.ts'

const DIFF_MEMBER_NAMES = Object.keys(DIFF_MEMBERS) as DiffMember[]

export function renderChange({ seq, at, recordedAt, key, types, cause, fields, diff }: ChangeRow) {
  return {
    seq,
    at,
    recorded_at: recordedAt,
    cve_id: key === null ? null : toCveId(key),
    types,
    cause,
    fields: [...listMembers(fields), ...Object.keys(OTHER_FIELDS).filter((name) => fields.includes(name))],
    diff: renderDiff(diff ?? {}),
  }
}

/** Uses the order of DIFF_MEMBERS, with the old value first. */
export function renderDiff(diff: Diff): Diff {
  const members = DIFF_MEMBER_NAMES.flatMap((name) => {
    const values = diff[name]
    return values ? [[name, { old: values.old, new: values.new }] as const] : []
  })
  return Object.fromEntries(members)
}

export const renderRange = ({ next, hasMore, newest, oldest }: Omit<LogPage, 'rows'>) => ({
  next_since: formatPosition(next),
  has_more: hasMore,
  newest: formatPosition(newest),
  oldest: formatPosition(oldest),
})
