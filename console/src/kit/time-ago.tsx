import { formatTime, formatTimeAgo } from '../text/format.ts'
import { useNow } from './now.ts'

interface TimeAgoProps {
  /** Time from the API in ISO 8601. */
  readonly time: string
}

/** A time relative to now, with the exact UTC time as its title. */
export function TimeAgo({ time }: TimeAgoProps) {
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatTimeAgo(time, useNow())}
    </time>
  )
}
