/** Whether the connection is slow, or the browser is set to save data. */

/** Only some browsers report the speed of the connection; in the others it counts as fast. */
interface NavigatorWithConnection {
  connection?: { saveData?: boolean; effectiveType?: string }
}

export function isConnectionSlow(): boolean {
  const { connection } = navigator as NavigatorWithConnection
  return connection?.saveData === true || /^(?:slow-2g|2g|3g)$/.test(connection?.effectiveType ?? '')
}
