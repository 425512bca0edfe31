/** Schemas and limits of two ways to add files in the dashboard: the upload form, and fetching from a URL. */
import { z } from 'zod'
import { fileAnswer } from '../files/library.ts'
import { folderInput } from '../paths/folder-input.ts'
import { lowerCaseAscii } from '../paths/lower-case.ts'
import { maxCharacters } from '../values/text.ts'
import { MINUTE } from '../values/units.ts'
import { ZIP_MAX_ENTRIES } from './zip-limits.ts'

/** Maximum number of files in one upload form of the dashboard; a client with more sends several forms. */
export const UPLOAD_MAX_FILES = 1000

export const FETCH_PORTS: readonly number[] = [80, 443]
export const FETCH_MAX_REDIRECTS = 5
/** Milliseconds for name lookup, connecting and TLS handshake; each redirect gets this time again. */
export const FETCH_CONNECT_TIMEOUT = 10_000
/** Milliseconds for the whole fetch, including redirects and transfer. */
export const FETCH_TOTAL_TIMEOUT = MINUTE

const URL_MAX_LENGTH = 4096

/**
 * Networks from which nothing is fetched. Each text is the end of the German sentence of the error
 * `fetchNetwork`.
 */
export const REFUSED_NETWORKS = {
  loopback: 'zu diesem Rechner selbst',
  private: 'in ein privates Netz',
  linkLocal: 'in das eigene Netzsegment',
  multicast: 'zu einer Gruppenadresse',
  reserved: 'in einen reservierten Bereich',
} as const
export type RefusedNetwork = keyof typeof REFUSED_NETWORKS

const targetFolder = folderInput.transform(lowerCaseAscii).default('')

/** Schema of a form field that contains JSON. */
export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('ist kein gültiges JSON')
    return z.NEVER
  }
})

/** The text fields of `POST /api/dash/upload`, which may be sent before or after the files. */
export const uploadFields = z.object({
  ordner: targetFolder.describe('Zielordner; leer: ganz oben'),
  ueberschreiben: z.enum(['true', 'false']).default('false'),
  namen_anpassen: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      '„true“: ungültige Namen in ZIP-Archiven werden angepasst (ä zu ae, Leerzeichen zu -), nicht abgelehnt.',
    ),
  aktion: z
    .string()
    .regex(/^[\w-]{8,64}$/, 'hat 8 bis 64 Buchstaben, Ziffern, - oder _')
    .optional()
    .describe(
      'Anfragen mit derselben Kennung sind im Verlauf ein Eintrag. Ohne sie sind es die Dateien einer Anfrage.',
    ),
  pfade: jsonText
    .pipe(z.array(z.string()).max(UPLOAD_MAX_FILES))
    .optional()
    .describe(
      'JSON-Liste: zu jeder Datei, in der Reihenfolge der Felder „file“, ihr Pfad unterhalb von „ordner“ mit ' +
        'Dateinamen. Wo er leer ist oder die Liste fehlt, gilt der Dateiname des Formularteils; auch er darf Ordner ' +
        'enthalten.',
    ),
})

/** The whole form, only for the API document: the files are streamed and not checked by a schema. */
export const uploadForm = uploadFields.extend({
  file: z
    .array(z.file())
    .max(UPLOAD_MAX_FILES)
    .describe(
      'Jede Datei wird für sich beurteilt. Eine .zip-Datei wird in ihrem Ordner entpackt, nicht gespeichert. Ist sie ' +
        `beschädigt (400) oder zu groß (413; höchstens ${ZIP_MAX_ENTRIES} Einträge und 256 MB entpackt), so gilt dieser ` +
        'Status der Anfrage, wenn sie die einzige Datei ist; sonst steht sie unter „abgelehnt“.',
    ),
})

export const dashUploadAnswer = z.object({
  gespeichert: z.array(fileAnswer),
  abgelehnt: z.array(z.object({ name: z.string(), grund: z.string(), code: z.string() })),
})
export type DashUploadAnswer = z.infer<typeof dashUploadAnswer>

export const fetchInput = z.object({
  url: z
    .string()
    .trim()
    .min(1, 'darf nicht leer sein')
    .max(...maxCharacters(URL_MAX_LENGTH)),
  ordner: targetFolder,
  name: z
    .string()
    .refine(value => !value.includes('/'), 'darf keinen Schrägstrich enthalten')
    .optional()
    .describe('Dateiname; ohne ihn einer, den die Quelle nahelegt'),
})
