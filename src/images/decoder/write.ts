/** Writes an encoded picture. */
import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'
import type { ScaledPicture } from '../protocol.ts'

/**
 * Encodes a picture and writes it to a file, unless it has `sizeLimit` bytes or more. It is encoded to memory
 * first, because sharp would report a full disk like a broken picture.
 */
export async function writePicture(
  pixels: Sharp,
  target: string,
  sizeLimit = Number.POSITIVE_INFINITY,
): Promise<OutputInfo> {
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  if (data.length < sizeLimit) await writeFile(target, data, { flag: 'wx' })
  return info
}

export async function writeScaledPicture(
  pixels: Sharp,
  { target, edge, quality }: ScaledPicture,
): Promise<void> {
  const scaledPixels = pixels.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
  await writePicture(scaledPixels.webp({ quality }), target)
}
