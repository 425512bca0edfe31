/** Parses HTTP dates in the three formats of RFC 9110 section 5.6.7. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DATE_FORMATS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) GMT$/,
  // Sunday, 06-Nov-94 08:49:37 GMT
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) GMT$/,
  // Sun Nov  6 08:49:37 1994
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) (?<year>\d{4})$/,
]

/**
 * A two-digit year that would be more than this number of years in the future belongs to the previous century
 * (RFC 9110 section 5.6.7).
 */
const MAX_YEARS_AHEAD = 50

/** Milliseconds since 1970; null if the text is no HTTP date. */
export function parseHttpDate(text: string): number | null {
  const dateParts = DATE_FORMATS.map(format => format.exec(text.trim())?.groups).find(
    groups => groups !== undefined,
  )
  if (!dateParts) return null
  const { day, month, year, hour, minute, second } = dateParts as Record<string, string>
  const [dayOfMonth = 0, hours = 0, minutes = 0, seconds = 0] = [day, hour, minute, second].map(Number)
  if (!MONTHS.includes(month!)) return null
  const time = Date.UTC(fullYear(year!), MONTHS.indexOf(month!), dayOfMonth, hours, minutes, seconds)
  // `Date` would turn 31 April or hour 25 into another date.
  const parsedDate = new Date(time)
  return parsedDate.getUTCDate() === dayOfMonth &&
    parsedDate.getUTCHours() === hours &&
    minutes < 60 &&
    seconds <= 60
    ? time
    : null
}

function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits)
  const currentYear = new Date().getUTCFullYear()
  const year = currentYear - (currentYear % 100) + Number(digits)
  return year > currentYear + MAX_YEARS_AHEAD ? year - 100 : year
}
