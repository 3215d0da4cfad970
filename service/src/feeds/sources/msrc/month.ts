// Microsoft publishes by the month, and calls a month `2024-Aug`. One had a second
// document: `2017-May-B`.

export interface Month {
  /** As Microsoft spells it, in its addresses too. */
  readonly id: string
  /** As everybody else does: `2024-Aug`. */
  readonly name: string
  /** Later months have higher ones. */
  readonly ordinal: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH_ID = /^((?:19|20)\d{2})-([A-Za-z]{3})(-[A-Z])?$/

/** Nothing else may become part of an address, or of a file's name. */
export function parseMonth(id: string): Month | undefined {
  const [, year = '', word = '', suffix = ''] = MONTH_ID.exec(id) ?? []
  const index = MONTHS.findIndex((each) => each.toLowerCase() === word.toLowerCase())
  if (index === -1) return undefined
  const ordinal = (Number(year) * MONTHS.length + index) * 2 + (suffix === '' ? 0 : 1)
  return { id, name: `${year}-${MONTHS[index]}${suffix}`, ordinal }
}
