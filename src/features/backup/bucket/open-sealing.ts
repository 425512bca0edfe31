/** Finds out how a bucket is sealed, and makes the key of a new one. */
import { generateX25519Identity } from 'age-encryption'
import { backupTrouble } from '../../../errors/errors.ts'
import type { BucketFiles } from '../../../storage/s3/bucket-files.ts'
import { makeKey, openKey } from './age-key.ts'
import { createSealing, type Sealing, UNSEALED } from './sealing.ts'

export const KEY_FILE = 'schluessel.age'

export interface SealingOptions {
  name: string
  password: string
  create: boolean
}

/** Rejects with `BackupTrouble` if password and bucket do not go together. */
export async function openSealing(files: BucketFiles, options: SealingOptions): Promise<Sealing> {
  const { name, password, create } = options
  let file = await readKey(files)
  if (password === '') {
    if (file !== null) throw backupTrouble.bucketEncrypted(name)
    return UNSEALED
  }
  if (file === null) {
    for await (const _ of files.list('fundus-')) throw backupTrouble.bucketPlain(name)
    // There is nothing that a key could open.
    if (!create) return createSealing(await generateX25519Identity())
    // If another process was faster, its key counts.
    await files.create(KEY_FILE, (await makeKey(password)).file)
    file = await readKey(files)
  }
  // Read back before anything is encrypted: what only a lost key opens is lost.
  const identity = file && (await openKey(file, password))
  if (identity === null) throw backupTrouble.bucketPassword(name)
  return createSealing(identity)
}

async function readKey(files: BucketFiles): Promise<Uint8Array<ArrayBuffer> | null> {
  if ((await files.size(KEY_FILE)) === null) return null
  return new Uint8Array(Buffer.concat(await Array.fromAsync(files.read(KEY_FILE))))
}
