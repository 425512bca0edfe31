/** Files as a ZIP: words on the wire and limits. */
import { z } from 'zod'
import { folderInput } from './folder-input.ts'
import { jsonText } from './ingest.ts'
import { PATHS_MAX } from './limits.ts'

export const downloadQuery = z.object({
  ordner: folderInput.default('').describe('Der Ordner mit seinen Unterordnern; leer: alles'),
})

/** A form, since a browser saves the answer to a form without holding it in memory. */
export const downloadForm = z.object({
  pfade: jsonText
    .pipe(
      z
        .array(z.string(), 'muss eine Liste sein')
        .min(1, 'darf nicht leer sein')
        .max(PATHS_MAX, `darf höchstens ${PATHS_MAX} Einträge haben`),
    )
    .describe('JSON-Liste der Pfade'),
})

/** `name`: of the folder, or what the archive holds otherwise; `day`: for example `2026-11-15`. */
export const archiveName = (name: string, day: string) => `${name}-${day}.zip`

/** Stands in an archive when files vanished while it was written. */
export const MISSING_NOTE = 'NICHT-ENTHALTEN.txt'
