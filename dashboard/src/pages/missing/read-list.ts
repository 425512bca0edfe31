/** Names out of files that are dropped or opened as a list. */
import { namesOf } from './names/names-of.ts'

/** Far above any list of names. */
const MOST = 8 * 1024 * 1024

export interface ReadList {
  names: string[]
  /** Files that are no text. */
  refused: string[]
}

export async function readLists(files: readonly File[]): Promise<ReadList> {
  const names: string[] = []
  const refused: string[] = []
  for (const file of files) {
    const text = file.size > MOST ? '\0' : await file.text().catch(() => '\0')
    if (text.includes('\0')) refused.push(file.name)
    else names.push(...namesOf(text, file.name).names)
  }
  return { names: [...new Set(names)], refused }
}
