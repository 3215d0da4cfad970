import { parseDate, parseDateTime } from '../../domain/instant.ts'

/**
 * When a source says that it published, in whole seconds (decision C1). Nothing is published after it was last changed,
 * and feeds have cut that to the time of ingest: so it bounds this one, and no date lies in the future (decision C22).
 */
export function readPublished(text: string | null, modified: Date): Date | null {
  const published = text === null ? undefined : (parseDateTime(text) ?? parseDate(text))
  if (published === undefined) return null
  const isBounded = modified.getTime() > 0 && published.getTime() > modified.getTime()
  return isBounded ? modified : published
}
