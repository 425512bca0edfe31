/** The accounts. The last one cannot be deleted; deleting one's own needs a separate confirmation. */
import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { AccountAnswer } from '../../../../../src/contract/accounts/session.ts'
import { del } from '../../../api/client.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { type DialogState, useDialog } from '../../../ui/forms/dialog.tsx'
import { DataTable } from '../../../ui/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { words } from './words.ts'

export function AccountTable({ accounts }: { accounts: readonly AccountAnswer[] }) {
  const w = useWords(words)
  const { data: session } = useGet('ich')
  const isOwn = ({ benutzer }: AccountAnswer) => benutzer === session?.benutzer
  const question = useDialog<AccountAnswer>()
  const { subject } = question
  return (
    <>
      <DataTable
        label={w.accounts}
        rows={accounts}
        rowKey={({ id }) => id}
        minWidth={280}
        compact
        columns={[
          {
            key: 'name',
            title: w.name,
            cell: account => <Name name={account.benutzer} isOwn={isOwn(account)} />,
          },
          {
            key: 'created',
            title: w.created,
            wideOnly: true,
            cell: ({ erstellt_am }) => <Time at={erstellt_am} />,
          },
          {
            key: 'seen',
            title: w.lastSeen,
            cell: ({ zuletzt_angemeldet }) => <Time at={zuletzt_angemeldet} none={w.never} />,
          },
          {
            key: 'actions',
            title: w.actions,
            align: 'right',
            width: 96,
            cell: account => (
              <RemoveButton
                name={account.benutzer}
                isLast={accounts.length === 1}
                onClick={() => question.open(account)}
              />
            ),
          },
        ]}
      />
      {subject && <RemoveDialog account={subject} isOwn={isOwn(subject)} question={question} />}
    </>
  )
}

function Name({ name, isOwn }: { name: string; isOwn: boolean }) {
  const w = useWords(words)
  return (
    <Group gap="xs">
      <Text inherit style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {isOwn && <Badge>{w.you}</Badge>}
    </Group>
  )
}

function RemoveButton({ name, isLast, onClick }: { name: string; isLast: boolean; onClick(): void }) {
  const w = useWords(words)
  return (
    <Tooltip label={isLast ? w.removeLast : w.remove(name)} multiline maw={280}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={w.remove(name)}
        // Not `disabled`: tooltip and screen reader must still tell the reason.
        aria-disabled={isLast}
        {...(isLast && { 'data-disabled': true, 'aria-description': w.removeLast })}
        onClick={isLast ? undefined : onClick}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

interface RemoveDialogProps {
  account: AccountAnswer
  isOwn: boolean
  question: DialogState<AccountAnswer>
}

function RemoveDialog({ account: { id, benutzer }, isOwn, question }: RemoveDialogProps) {
  const w = useWords(words)
  return (
    <ConfirmDialog
      {...question}
      title={w.removeTitle(benutzer)}
      confirm={w.removeConfirm}
      onConfirm={() => del(`benutzer/${id}`)}
      done={w.removed(benutzer)}
      // Everything: after deleting one's own account the next answer is 401, which leads to the login page.
      refresh={[]}
    >
      {isOwn ? w.removeOwnHint : w.removeHint}
    </ConfirmDialog>
  )
}
