/** Writes an encoded picture to a file, and tells errors of the file system from errors of the picture. */
import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'

/**
 * Encodes into memory, then writes the file. If the library wrote the file, it would report a full disk in
 * the same way as a broken picture, and a full disk is not the picture's fault.
 */
export async function writePicture(pixels: Sharp, target: string): Promise<OutputInfo> {
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  await writeFile(target, data, { flag: 'wx' })
  return info
}

/** True for an error of the file system, false for an error of the decoder. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}
