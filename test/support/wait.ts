/** Polls until `look` answers something other than undefined or false, and fails clearly when it never does. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 5000,
): Promise<T> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`Not within ${deadlineMs} ms: ${what}`)
    await Bun.sleep(20)
  }
}
