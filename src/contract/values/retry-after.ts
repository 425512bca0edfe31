/**
 * The milliseconds to wait according to a `Retry-After` header, which contains seconds or a date (RFC 9110
 * section 10.2.3); null if the header is missing or invalid.
 */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null
  const value = header.trim()
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(milliseconds) ? null : Math.max(milliseconds, 0)
}
