// Positions of the change log in SQL.
import { sql } from 'kysely'
import { type Position, parsePosition, START } from '../../domain/change/position.ts'

/** SQL expression for the position of a row with the columns `seq` and `tag`, as text. */
export const POSITION = sql<string>`seq || ':' || lpad(to_hex(tag), 16, '0')`

/** SQL expression for the newest position in the log, as text; null in an empty log. */
export const NEWEST_POSITION = sql<string | null>`(select ${POSITION} from catalog.change order by seq desc limit 1)`

/** Converts the text that the database returns. The position in an empty log is the start. */
export const toPosition = (text: string | null | undefined): Position => parsePosition(text ?? '') ?? START
