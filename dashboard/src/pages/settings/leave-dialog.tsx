/**
 * The dialog that asks for confirmation before a click on a link leads away from the page with unsaved
 * settings. Leaving discards them.
 */
import { List } from '@mantine/core'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import { useWords } from '../../language/language.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/use-leave-guard.ts'
import { discardDrafts } from './drafts.ts'
import { settingWords, words } from './words.ts'

export function LeaveDialog({ unsavedNames }: { unsavedNames: readonly SettingName[] }) {
  const w = useWords(words)
  const settingNames = useWords(settingWords)
  const { isAsking, stay, leave } = useLeaveGuard(unsavedNames.length > 0, () => discardDrafts(unsavedNames))
  return (
    <ConfirmDialog
      opened={isAsking}
      onClose={stay}
      title={w.leaveTitle}
      confirmLabel={w.leave}
      onConfirm={leave}
    >
      {w.leaveHint}
      <List mt="xs">
        {unsavedNames.map(name => (
          <List.Item key={name}>{settingNames[name]}</List.Item>
        ))}
      </List>
    </ConfirmDialog>
  )
}
