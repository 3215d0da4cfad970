import { sql } from 'kysely'
import { type Position, parsePosition, START } from '../../domain/change/position.ts'

/** Requires the columns `seq` and `tag`. */
export const POSITION = sql<string>`seq || ':' || lpad(to_hex(tag), 16, '0')`

/** Null if the log is empty. */
export const NEWEST_POSITION = sql<string | null>`(select ${POSITION} from catalog.change order by seq desc limit 1)`

/** An empty log is at the position START. */
export const toPosition = (text: string | null | undefined): Position => parsePosition(text ?? '') ?? START
