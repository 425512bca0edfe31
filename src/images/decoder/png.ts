/** Reads facts about a PNG that the image library does not report: animation and colour chunks. */
import { type FileHandle, open } from 'node:fs/promises'

/** Maximum number of chunk headers to read; usual files have a dozen chunks before their pixels. */
const MAX_CHUNKS = 1000
const SIGNATURE_LENGTH = 8
/** Bytes of a chunk besides its data: length, type and checksum. */
const CHUNK_OVERHEAD = 12
/** The values of gAMA and cHRM for sRGB, times 100 000 (PNG third edition, 11.3.2). */
const SRGB_GAMMA = [45_455]
const SRGB_CHROMATICITIES = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000]
/** Maximum difference of a value in the file from the sRGB value. */
const COLOUR_TOLERANCE = 1000

/**
 * Reads the chunk headers before the pixels, and the content of short colour chunks. `isAnimated`: the file
 * is an APNG, of which sharp sees only the first frame. `isPlainSrgb`: the colour chunks describe nothing but
 * sRGB; the colour profile (iCCP) is not considered here. Reading stops at acTL and after `MAX_CHUNKS`
 * chunks; a fact that is not known by then is false.
 */
export async function inspectPng(file: string) {
  await using handle = await open(file)
  let hasOnlySrgbValues = true
  let declaresSrgb = false
  let declaresCicp = false
  let offset = SIGNATURE_LENGTH
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const header = await readBytes(handle, offset, 8)
    const type = header?.toString('latin1', 4, 8)
    if (!header || type === 'IDAT' || type === 'IEND') {
      return { isAnimated: false, isPlainSrgb: !declaresCicp && (hasOnlySrgbValues || declaresSrgb) }
    }
    if (type === 'acTL') return { isAnimated: true, isPlainSrgb: false }
    if (type === 'sRGB') declaresSrgb = true
    // cICP, which is used for HDR, overrides all other colour chunks.
    if (type === 'cICP') declaresCicp = true
    if (type === 'gAMA') hasOnlySrgbValues &&= await containsValues(handle, offset, SRGB_GAMMA)
    if (type === 'cHRM') hasOnlySrgbValues &&= await containsValues(handle, offset, SRGB_CHROMATICITIES)
    offset += CHUNK_OVERHEAD + header.readUInt32BE(0)
  }
  return { isAnimated: false, isPlainSrgb: false }
}

async function containsValues(
  handle: FileHandle,
  chunkOffset: number,
  expectedValues: number[],
): Promise<boolean> {
  const data = await readBytes(handle, chunkOffset + 8, expectedValues.length * 4)
  return (
    data !== null &&
    expectedValues.every((value, i) => Math.abs(data.readUInt32BE(i * 4) - value) <= COLOUR_TOLERANCE)
  )
}

async function readBytes(handle: FileHandle, offset: number, length: number): Promise<Buffer | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
  return bytesRead === length ? buffer : null
}
