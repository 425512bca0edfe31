/**
 * Returns a function that checks the folders in a form with role and folders: an account that is limited to
 * folders needs at least one.
 */
import { useWords } from '../../../language/language.tsx'
import { isLimitedToFolders, parseFolders, type RightsTexts } from './rights.ts'
import { words } from './words.ts'

export function useFolderRule() {
  const w = useWords(words)
  return (rightsTexts: RightsTexts) => ({
    ordner: isLimitedToFolders(rightsTexts) && parseFolders(rightsTexts).length === 0 && w.folderMissing,
  })
}
