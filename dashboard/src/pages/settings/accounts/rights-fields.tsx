/**
 * The fields for the role and for the folders to which an account is limited. Folders are picked in the
 * folder tree or typed.
 */
import { Group, Pill, Radio, Stack, Switch } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ROLES } from '../../../../../src/contract/accounts/roles.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { ButtonWithIcon } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { FolderField } from '../../../ui/forms/folder-field.tsx'
import { trimFolder } from '../../../ui/forms/folder-list.ts'
import { Tree } from '../../../ui/tree/tree.tsx'
import { roleHints, roleWords } from '../../../ui/words.ts'
import classes from './accounts.module.css'
import { isLimitedToFolders, parseFolders, type RightsTexts, toggleFolder } from './rights.ts'
import { words } from './words.ts'

/** The roles in the order of the form: the one with all rights first. */
const ROLE_CHOICES = ROLES.toReversed()

export interface RightsFieldsProps {
  values: RightsTexts
  set(change: Partial<RightsTexts>): void
  error?: string | false | undefined
}

export function RightsFields({ values, set, error }: RightsFieldsProps) {
  const w = useWords(words)
  const roleNames = useWords(roleWords)
  const hintTexts = useWords(roleHints)
  return (
    <>
      <Radio.Group label={w.role} value={values.rolle} onChange={rolle => set({ rolle })}>
        <Stack gap="xs" mt={4}>
          {ROLE_CHOICES.map(role => (
            <Radio key={role} value={role} label={roleNames[role]} description={hintTexts[role]} />
          ))}
        </Stack>
      </Radio.Group>
      {values.rolle !== 'betreiber' && (
        <Switch
          label={w.onlyFolders}
          checked={values.begrenzt !== ''}
          onChange={event => set({ begrenzt: event.currentTarget.checked ? 'ja' : '' })}
        />
      )}
      {isLimitedToFolders(values) && (
        <FoldersField
          chosenFolders={parseFolders(values)}
          onToggle={folder => set({ ordner: toggleFolder(values, folder) })}
          error={error}
        />
      )}
    </>
  )
}

interface FoldersFieldProps {
  chosenFolders: readonly string[]
  onToggle(folder: string): void
  error?: string | false | undefined
}

function FoldersField({ chosenFolders, onToggle, error }: FoldersFieldProps) {
  const w = useWords(words)
  const { data: folders = [] } = useGet('folders')
  const [typedFolder, setTypedFolder] = useState('')
  const addTypedFolder = () => {
    onToggle(trimFolder(typedFolder))
    setTypedFolder('')
  }
  return (
    <Stack gap="xs">
      {chosenFolders.length === 0 ? (
        <DimmedText>{w.noFolder}</DimmedText>
      ) : (
        <Group gap={4}>
          {chosenFolders.map(folder => (
            <Pill
              key={folder}
              size="md"
              withRemoveButton
              onRemove={() => onToggle(folder)}
              removeButtonProps={{ 'aria-label': w.removeFolder(folder), 'aria-hidden': false, tabIndex: 0 }}
            >
              {folder}
            </Pill>
          ))}
        </Group>
      )}
      <div className={classes.tree}>
        <Tree folders={folders} currentFolder={chosenFolders.at(-1) ?? ''} onPick={onToggle} />
      </div>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <FolderField
          className={classes.typed}
          label={w.otherFolder}
          placeholder={w.folderPlaceholder}
          value={typedFolder}
          onChange={setTypedFolder}
          error={error}
        />
        <ButtonWithIcon
          icon={IconPlus}
          label={w.addFolder}
          variant="default"
          disabled={trimFolder(typedFolder) === '' || chosenFolders.includes(trimFolder(typedFolder))}
          onClick={addTypedFolder}
        />
      </Group>
    </Stack>
  )
}
