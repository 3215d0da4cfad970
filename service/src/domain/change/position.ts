// A position in the change log: a row's number and its random tag. The tag distinguishes it from a position with the
// same number in another history, such as before a backup was restored.

export interface Position {
  /** Decimal text, because the number may exceed JavaScript's safe integers. */
  readonly seq: string
  /** 16 hexadecimal digits. */
  readonly tag: string
}

/** The position before the first row. */
export const START: Position = { seq: '0', tag: '0'.repeat(16) }

const POSITION = /^(0|[1-9]\d{0,17}):([0-9a-f]{16})$/

export const POSITION_PATTERN = POSITION.source

export function parsePosition(text: string): Position | undefined {
  const [, seq, tag] = POSITION.exec(text) ?? []
  return seq === undefined || tag === undefined ? undefined : { seq, tag }
}

export const formatPosition = ({ seq, tag }: Position) => `${seq}:${tag}`

export const isSamePosition = (one: Position, other: Position) => one.seq === other.seq && one.tag === other.tag

export const isAfter = (one: Position, other: Position) => BigInt(one.seq) > BigInt(other.seq)
