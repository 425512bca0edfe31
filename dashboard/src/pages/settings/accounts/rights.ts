/** The role and folders of an account or an invitation, as the texts of a form. */
import type { AccountAnswer } from '../../../../../src/contract/accounts/session.ts'

export type Rights = Pick<AccountAnswer, 'rolle' | 'ordner'>

/**
 * The rights as texts: `ordner` has one folder per line; `begrenzt` is `ja` if the account is to be limited
 * to these folders, and otherwise empty. For the role `betreiber` (operator) both are ignored.
 */
export type RightsTexts = { rolle: string; begrenzt: string; ordner: string }

export const rightsTextsOf = ({ rolle, ordner }: Rights): RightsTexts => ({
  rolle,
  begrenzt: ordner === null ? '' : 'ja',
  ordner: (ordner ?? []).join('\n'),
})

export const parseFolders = ({ ordner }: RightsTexts) => ordner.split('\n').filter(Boolean)

/** Whether the account is limited to folders; operators never are. */
export const isLimitedToFolders = ({ rolle, begrenzt }: RightsTexts) =>
  rolle !== 'betreiber' && begrenzt !== ''

export const parseRights = (rightsTexts: RightsTexts) => ({
  rolle: rightsTexts.rolle as Rights['rolle'],
  ordner: isLimitedToFolders(rightsTexts) ? parseFolders(rightsTexts) : null,
})

/**
 * The text of `ordner` after a folder was clicked or typed: a chosen folder is removed, any other is added.
 * The top folder and folders below a chosen one are not added, and chosen folders below the new one are
 * dropped.
 */
export function toggleFolder(rightsTexts: RightsTexts, folder: string): string {
  const chosenFolders = parseFolders(rightsTexts)
  if (chosenFolders.includes(folder))
    return chosenFolders.filter(chosenFolder => chosenFolder !== folder).join('\n')
  if (folder === '' || chosenFolders.some(chosenFolder => folder.startsWith(`${chosenFolder}/`)))
    return rightsTexts.ordner
  return [...chosenFolders.filter(chosenFolder => !chosenFolder.startsWith(`${folder}/`)), folder].join('\n')
}
