/** The thread of `place-look.ts`; lists a folder with blocking calls. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ListedFiles } from './place-look.ts'

declare const self: Worker

self.onmessage = ({ data: folder }: MessageEvent<string>) => self.postMessage(filesIn(folder))

function filesIn(folder: string): ListedFiles {
  try {
    const names = readdirSync(folder).filter(name => name.startsWith('fundus-'))
    return names.flatMap(name => {
      const facts = statSync(join(folder, name), { throwIfNoEntry: false })
      return facts?.isFile() ? [{ name, bytes: facts.size }] : []
    })
  } catch {
    return []
  }
}
