import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'

/**
 * Encodes into memory, then writes: the library reports a full disk just as it reports a broken picture, and only
 * one of them is the picture's fault.
 */
export async function writePicture(pixels: Sharp, target: string): Promise<OutputInfo> {
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  await writeFile(target, data, { flag: 'wx' })
  return info
}
