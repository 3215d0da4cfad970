// Days in words for sentences and headings: 12 Apr 2024.

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const DAY_OF_MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Formats the day of an upstream date or time as `12 Apr 2024`. Text that is no date is returned as it is. */
export function formatDate(text: string): string {
  return format(DATE, text)
}

/** The same without the year, for a chart that names the year elsewhere: `12 Apr`. */
export function formatDayOfMonth(text: string): string {
  return format(DAY_OF_MONTH, text)
}

function format(formatter: Intl.DateTimeFormat, text: string): string {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  // "Sept" is the only month that en-GB abbreviates to four letters.
  return Number.isNaN(date.getTime()) ? text : formatter.format(date).replace('Sept', 'Sep')
}
