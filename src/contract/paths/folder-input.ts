/** Schemas of a folder in a request. */
import { z } from 'zod'
import { isValidPath } from './path-rules.ts'

/** An empty text is the top folder; `items` and `items/` mean the same. */
export const folderInput = z
  .string()
  .transform(value => value.replace(/\/$/, ''))
  .refine(value => value === '' || isValidPath(value), 'ist kein gültiger Pfad')

/** Any folder except the top folder. */
export const nonTopFolderInput = folderInput.refine(value => value !== '', 'darf nicht leer sein')
