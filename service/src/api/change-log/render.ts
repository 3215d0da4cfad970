// Renders changes and positions for answers.
import { listMembers } from '../../contract/cve-fields.ts'
import { formatPosition } from '../../domain/change/position.ts'
import { toCveId } from '../../domain/cve-id.ts'
import type { ChangeRow, LogPage } from './read-log.ts'

export function renderChange({ seq, at, key, types, cause, fields, diff }: ChangeRow) {
  return {
    seq,
    at,
    cve_id: key === null ? null : toCveId(key),
    types,
    cause,
    fields: [...listMembers(fields), ...(fields.includes('detail') ? ['detail'] : [])],
    diff: diff ?? {},
  }
}

export const renderRange = ({ next, hasMore, newest, oldest }: Omit<LogPage, 'rows'>) => ({
  next_since: formatPosition(next),
  has_more: hasMore,
  newest: formatPosition(newest),
  oldest: formatPosition(oldest),
})
