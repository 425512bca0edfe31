/** The only formatter of durations (of videos and sounds), for the dashboard and the share page. */

/**
 * For example `1:02:03` or `0:07`. The result is at least one second, because a file with a duration is not
 * empty.
 */
export function formatDuration(seconds: number): string {
  const wholeSeconds = Math.max(1, Math.round(seconds))
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(wholeSeconds / 3600)
  const minutes = Math.floor((wholeSeconds % 3600) / 60)
  return `${hours > 0 ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(wholeSeconds % 60)}`
}
