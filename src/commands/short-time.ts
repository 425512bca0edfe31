/** `15.11.2026, 04:10`, as the operator's clock shows it. */
export const shortTime = (at: number) =>
  new Date(at).toLocaleString('de-DE', { dateStyle: 'medium', timeStyle: 'short' })
