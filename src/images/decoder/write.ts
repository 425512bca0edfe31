/** Writes an encoded picture, and distinguishes file system errors from picture errors. */
import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'
import type { ScaledPicture } from '../protocol.ts'

/**
 * Encodes a picture and writes it to a file. It is encoded to memory first, because sharp would report a full
 * disk like a broken picture.
 */
export async function writePicture(pixels: Sharp, target: string): Promise<OutputInfo> {
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  await writeFile(target, data, { flag: 'wx' })
  return info
}

export async function writeScaled(pixels: Sharp, { target, edge, quality }: ScaledPicture): Promise<void> {
  const scaledPixels = pixels.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
  await writePicture(scaledPixels.webp({ quality }), target)
}

export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}
