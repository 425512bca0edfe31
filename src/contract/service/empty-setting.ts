/**
 * Whether the value of a setting is empty: an empty value in an import changes nothing. This has a file of
 * its own, so that the dashboard can import it without the schemas of `settings.ts`.
 */
export const isEmptySetting = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)
