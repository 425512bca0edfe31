/** The folders to which an account is limited, in a request. */
import { z } from 'zod'
import { nonTopFolderInput } from '../paths/folder-input.ts'
import { ACCOUNT_FOLDERS_MAX } from '../values/limits.ts'
import { outermostFolders } from './roles.ts'

/** Null: all folders. A folder inside another listed folder adds nothing and is left out. */
export const accountFolders = z
  .array(nonTopFolderInput, 'muss eine Liste von Ordnern sein')
  .min(1, 'braucht mindestens einen Ordner')
  .max(ACCOUNT_FOLDERS_MAX, `darf höchstens ${ACCOUNT_FOLDERS_MAX} Ordner enthalten`)
  .transform(outermostFolders)
  .nullable()
