import { Badge, PriorityBadge } from '../../kit/badge.tsx'
import type { Match } from './result.ts'

interface LevelBadgeProps {
  readonly level: Match['priority']['level']
  /** Shows the level without its description, for a narrow column. */
  readonly isShort?: boolean
}

/** A priority level. An advisory without a CVE has none, which does not mean that it is harmless. */
export function LevelBadge({ level, isShort = false }: LevelBadgeProps) {
  if (level !== null) return <PriorityBadge level={level} isShort={isShort} />
  return (
    <Badge tone="unrated" title="An advisory without a CVE has no priority level. It is not harmless for that reason.">
      no level
    </Badge>
  )
}
