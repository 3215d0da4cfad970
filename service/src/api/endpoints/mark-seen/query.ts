import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'
import type { Position } from '../../../domain/change/position.ts'
import { formatPosition } from '../../../domain/change/position.ts'
import { POSITION } from '../../../record/change-log/position-text.ts'

export async function isInLog(db: Database, position: Position): Promise<boolean> {
  const { rows } = await sql<{ position: string }>`
    select ${POSITION} as position from catalog.change where seq = ${position.seq}
  `.execute(db)
  return rows[0]?.position === formatPosition(position)
}
