// Ids of Microsoft's monthly documents, such as `2024-Aug`. One month had a second document: `2017-May-B`.

export interface Month {
  /** Month id as Microsoft spells it in its list and URLs, such as `2018-FEB`. */
  readonly id: string
  /** Month id in the usual spelling, such as `2018-Feb`. */
  readonly name: string
  readonly ordinal: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH_ID = /^((?:19|20)\d{2})-([A-Za-z]{3})(-[A-Z])?$/

/** Month ids become part of URLs and file names, so any other text is refused. */
export function parseMonth(id: string): Month | undefined {
  const [, year = '', word = '', suffix = ''] = MONTH_ID.exec(id) ?? []
  const index = MONTHS.findIndex((each) => each.toLowerCase() === word.toLowerCase())
  if (index === -1) return undefined
  const ordinal = (Number(year) * MONTHS.length + index) * 2 + (suffix === '' ? 0 : 1)
  return { id, name: `${year}-${MONTHS[index]}${suffix}`, ordinal }
}
