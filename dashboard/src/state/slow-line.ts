/** Whether the browser reports a slow connection or is set to save data. */

/** Only some browsers report the connection; with others it counts as fast. */
interface WithConnection {
  connection?: { saveData?: boolean; effectiveType?: string }
}

export function isSlowLine(): boolean {
  const { connection } = navigator as WithConnection
  return connection?.saveData === true || /^(?:slow-2g|2g|3g)$/.test(connection?.effectiveType ?? '')
}
