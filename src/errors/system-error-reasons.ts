/** Why a system call failed, as the last clause of a sentence. */
import { errorCode } from '../base/system/error-code.ts'
import { ownValue } from '../contract/values/own-value.ts'

/** German clauses for errors of writing to a folder, by the system's error code. */
const WRITE_ERROR_CLAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'dort ist kein Platz mehr',
  EDQUOT: 'dort ist kein Platz mehr',
  EFBIG: 'so große Dateien sind dort nicht möglich',
  EROFS: 'dort darf nichts geschrieben werden',
  EACCES: 'dort darf der Dienst nicht schreiben',
  EPERM: 'dort darf der Dienst nicht schreiben',
  ENOTDIR: 'dort liegt eine Datei statt eines Ordners',
  EEXIST: 'dort liegt eine Datei statt eines Ordners',
  ENOENT: 'den Ort gibt es nicht',
  EIO: 'das Laufwerk meldet einen Fehler',
}

/** German clauses for errors of reading a file: for some codes they differ from those for writing. */
export const READ_ERROR_CLAUSES: Readonly<Record<string, string>> = {
  ...WRITE_ERROR_CLAUSES,
  ENOENT: 'es gibt es nicht',
  EACCES: 'es darf nicht gelesen werden',
  EPERM: 'es darf nicht gelesen werden',
  EISDIR: 'es ist ein Ordner',
}

/**
 * Why a system call failed, as a German clause. If `clauses` lacks the code of the error, the clause names
 * the code.
 */
export function germanReason(error: unknown, clauses = WRITE_ERROR_CLAUSES): string {
  const code = errorCode(error)
  return ownValue(clauses, code) ?? `das System meldet ${code === '' ? 'einen unbekannten Fehler' : code}`
}

/** English clauses for errors of restoring, by the system's error code. */
const ENGLISH_ERROR_CLAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left',
  EFBIG: 'files of this size are not possible there',
  EROFS: 'nothing may be written there',
  EACCES: 'this user lacks the necessary rights',
  EPERM: 'this user lacks the necessary rights',
  ENOTDIR: 'there is a file instead of a folder',
  EEXIST: 'there is a file instead of a folder',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EIO: 'the disk reports an error',
}

export function englishReason(error: unknown): string {
  const code = errorCode(error)
  return (
    ownValue(ENGLISH_ERROR_CLAUSES, code) ?? `the system reports ${code === '' ? 'an unknown error' : code}`
  )
}
