/** Joins bytes in memory that nothing else lies in, so that whoever gets them may free it. */
export function joined(...parts: Uint8Array[]): Buffer {
  const whole = Buffer.from(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
