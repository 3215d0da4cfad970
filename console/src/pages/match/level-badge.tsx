import { Badge, PriorityBadge } from '../../kit/badge.tsx'
import type { Match } from './result.ts'

interface LevelBadgeProps {
  readonly level: Match['priority_level']
  /** Shows the level without its description, for a narrow column. */
  readonly isShort?: boolean
}

/** A priority level. The policy gives none to a rejected CVE. */
export function LevelBadge({ level, isShort = false }: LevelBadgeProps) {
  if (level !== null) return <PriorityBadge level={level} isShort={isShort} />
  return (
    <Badge tone="unrated" title="The policy gives no level to a rejected CVE. This does not mean that it is harmless.">
      no level
    </Badge>
  )
}
