/**
 * An append-only file with one JSON entry per line, for entries that later runs need even if this run is
 * killed. A line that is not valid JSON, because a crash has truncated it, is skipped.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { attempt } from '../../base/attempt.ts'

export type Journal<Entry> = Awaited<ReturnType<typeof openJournal<Entry>>>

/** Opens a journal. Its file and folder are created with the first entry. */
export async function openJournal<Entry>(file: string) {
  const text = await readFile(file, 'utf8').catch(() => '')
  const entries = text.split('\n').flatMap(line => attempt(() => JSON.parse(line) as Entry) ?? [])
  // After a truncated line the next entry starts on a new line.
  let separator = text === '' || text.endsWith('\n') ? '' : '\n'
  let folderCreation: Promise<unknown> | undefined
  return {
    entries,
    async add(entry: Entry) {
      folderCreation ??= mkdir(dirname(file), { recursive: true })
      await folderCreation
      const line = `${separator}${JSON.stringify(entry)}\n`
      separator = ''
      await appendFile(file, line, { mode: 0o600 })
    },
  }
}
