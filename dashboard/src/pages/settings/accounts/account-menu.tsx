/**
 * The menu of the actions on an account. For the last operator account it has no entry that changes the
 * rights, and an explanation in place of the entry that deletes the account.
 */
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconLock, IconLogout, IconShieldOff, IconTrash, IconUserEdit } from '@tabler/icons-react'
import type { AccountAnswer } from '../../../../../src/contract/accounts/session.ts'
import { del, patch } from '../../../api/client.ts'
import { useWords } from '../../../language/language.tsx'
import { MenuEntry } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../../ui/forms/dialog.tsx'
import { PasswordDialog, RightsDialog } from './change-dialogs.tsx'
import { words } from './words.ts'

export interface AccountMenuProps {
  account: AccountAnswer
  isOwn: boolean
  isLastOperator: boolean
}

type AccountAction = 'rights' | 'password' | 'sessions' | 'factor' | 'remove'

/**
 * An empty list makes `ConfirmDialog` refetch all queries. If the action ended the user’s own session, they
 * are answered with status 401, and the user has to sign in again.
 */
const ALL_QUERIES: readonly string[] = []

export function AccountMenu({ account, isOwn, isLastOperator }: AccountMenuProps) {
  const w = useWords(words)
  const { id, benutzer } = account
  const hasSecondFactor = account.zweiter_faktor !== null || account.passkeys > 0
  const dialog = useDialog<AccountAction>()
  const { subject, open } = dialog
  const dialogFor = (action: AccountAction) => ({ ...dialog, opened: dialog.opened && subject === action })
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={w.moreOf(benutzer)}>
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isLastOperator && (
            <MenuEntry icon={IconUserEdit} label={w.changeRights} onClick={() => open('rights')} />
          )}
          <MenuEntry icon={IconLock} label={w.setPassword} onClick={() => open('password')} />
          <MenuEntry icon={IconLogout} label={w.endSessions} onClick={() => open('sessions')} />
          {hasSecondFactor && (
            <MenuEntry icon={IconShieldOff} label={w.resetFactor} onClick={() => open('factor')} />
          )}
          <Menu.Divider />
          {isLastOperator ? (
            <DimmedText p="xs">{w.lastOperator}</DimmedText>
          ) : (
            <MenuEntry icon={IconTrash} label={w.removeConfirm} danger onClick={() => open('remove')} />
          )}
        </Menu.Dropdown>
      </Menu>
      <RightsDialog account={account} isOwn={isOwn} {...dialogFor('rights')} />
      <PasswordDialog account={account} isOwn={isOwn} {...dialogFor('password')} />
      <ConfirmDialog
        {...dialogFor('sessions')}
        title={w.endSessionsTitle(benutzer)}
        confirmLabel={w.endSessions}
        onConfirm={() => patch(`benutzer/${id}`, { body: {} })}
        successMessage={w.sessionsEnded(benutzer)}
        refresh={ALL_QUERIES}
      >
        {isOwn ? w.endOwnSessionsHint : w.endSessionsHint}
      </ConfirmDialog>
      <ConfirmDialog
        {...dialogFor('factor')}
        title={w.resetFactorTitle(benutzer)}
        confirmLabel={w.resetFactor}
        onConfirm={() => patch(`benutzer/${id}`, { body: { zweiter_faktor: null } })}
        successMessage={w.factorReset(benutzer)}
        refresh={ALL_QUERIES}
      >
        {isOwn ? w.resetOwnFactorHint : w.resetFactorHint}
      </ConfirmDialog>
      <ConfirmDialog
        {...dialogFor('remove')}
        title={w.removeTitle(benutzer)}
        confirmLabel={w.removeConfirm}
        onConfirm={() => del(`benutzer/${id}`)}
        successMessage={w.removed(benutzer)}
        refresh={ALL_QUERIES}
      >
        {isOwn ? w.removeOwnHint : w.removeHint}
      </ConfirmDialog>
    </>
  )
}
