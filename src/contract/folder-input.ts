/** A folder as clients name it. */
import { z } from 'zod'
import { isValidPath } from './paths.ts'

/** Empty is the top; `items` and `items/` mean the same. */
export const folderInput = z
  .string()
  .transform(value => value.replace(/\/$/, ''))
  .refine(value => value === '' || isValidPath(value), 'ist kein gültiger Pfad')

/** Any folder but the top. */
export const ownFolderInput = folderInput.refine(value => value !== '', 'darf nicht leer sein')
