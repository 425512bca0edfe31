/** The export of the list of files: its query, the name of the exported file, and its columns. */
import { z } from 'zod'
import { folderInput } from '../paths/folder-input.ts'
import { EXPORT_FORMATS, type ExportFormat } from './choices.ts'

export const exportFormat = z.enum(EXPORT_FORMATS)

export const exportFilesQuery = z.strictObject({
  format: exportFormat,
  folder: folderInput.default('').describe('Nur dieser Ordner mit seinen Unterordnern; leer: alles'),
})

/** `day`: a date such as `2026-11-15`. */
export const exportFileName = (format: ExportFormat, day: string) => `fundus-dateien-${day}.${format}`

export const FILE_EXPORT_COLUMNS = [
  'Pfad',
  'Adresse',
  'Art',
  'Medientyp',
  'Bytes',
  'SHA-256',
  'Geändert',
  'Abrufe',
  'Zuletzt abgerufen',
  'Breite',
  'Höhe',
  'Länge (Sekunden)',
  'Token',
  'Id',
] as const
