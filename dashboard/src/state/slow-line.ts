/** Whether the browser calls its line slow, or has been told to save data. */

/** Not in every browser; the others count as fast. */
interface WithConnection {
  connection?: { saveData?: boolean; effectiveType?: string }
}

export function isSlowLine(): boolean {
  const { connection } = navigator as WithConnection
  return connection?.saveData === true || /^(?:slow-2g|2g|3g)$/.test(connection?.effectiveType ?? '')
}
