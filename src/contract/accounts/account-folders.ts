/** Schema of a field of a request: the folders to which an account is limited. */
import { z } from 'zod'
import { nonTopFolderInput } from '../paths/folder-input.ts'
import { ACCOUNT_FOLDERS_MAX } from '../values/input-limits.ts'
import { outermostFolders } from './roles.ts'

/** Null: the account is not limited. Folders inside another listed folder are left out. */
export const accountFolders = z
  .array(nonTopFolderInput, 'muss eine Liste von Ordnern sein')
  .min(1, 'braucht mindestens einen Ordner')
  .max(ACCOUNT_FOLDERS_MAX, `darf höchstens ${ACCOUNT_FOLDERS_MAX} Ordner enthalten`)
  .transform(outermostFolders)
  .nullable()
