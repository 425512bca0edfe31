/** The one formatter of how long a clip or a sound lasts, for the dashboard and the share page. */

/** `1:02:03`, `0:07`; never zero, for there is something to hear. */
export function formatLength(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`
}
