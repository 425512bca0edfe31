/** Writes an encoded picture, and distinguishes file system errors from picture errors. */
import { writeFile } from 'node:fs/promises'
import type { OutputInfo, Sharp } from 'sharp'

/** Encodes to memory first: the library would report a full disk like a broken picture. */
export async function writePicture(pixels: Sharp, target: string): Promise<OutputInfo> {
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  await writeFile(target, data, { flag: 'wx' })
  return info
}

export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string'
}
