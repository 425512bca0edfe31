/**
 * Reuses buffers of one size. Allocating a new buffer for each of thousands of short files would add
 * megabytes to the memory of the service until the next garbage collection.
 */
export function createBufferPool(bufferSize: number, maxSpareBuffers: number) {
  const spareBuffers: Buffer[] = []
  return {
    take: () => spareBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferSize),
    /** Takes back a buffer that the caller does not use any more. Keeps at most `maxSpareBuffers`. */
    giveBack(buffer: Buffer) {
      if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer)
    },
  }
}
