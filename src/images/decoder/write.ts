/** Writes an encoded picture to a file. */
import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'

/**
 * Encodes into memory, then writes the file. If the library wrote the file, it would report a full disk in the same way
 * as a broken picture, and a full disk is not the picture's fault.
 */
export async function writePicture(pixels: Sharp, target: string): Promise<OutputInfo> {
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  await writeFile(target, data, { flag: 'wx' })
  return info
}
