/**
 * The list of accounts, each with its name, role, folders, last sign-in, second factor, and a menu of
 * actions.
 */
import { Badge, Group, Text } from '@mantine/core'
import type { AccountAnswer } from '../../../../../src/contract/accounts/session.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { roleWords } from '../../../ui/words.ts'
import { AccountMenu, type AccountMenuProps } from './account-menu.tsx'
import classes from './accounts.module.css'
import { words } from './words.ts'

export function AccountList({ accounts }: { accounts: readonly AccountAnswer[] }) {
  const w = useWords(words)
  const { data: session } = useGet('ich')
  const operators = accounts.filter(({ rolle }) => rolle === 'betreiber')
  return (
    <ul className={classes.rows} aria-label={w.accounts}>
      {accounts.map(account => (
        <AccountRow
          key={account.id}
          account={account}
          isOwn={account.benutzer === session?.benutzer}
          isLastOperator={operators.length === 1 && operators[0] === account}
        />
      ))}
    </ul>
  )
}

function AccountRow(props: AccountMenuProps) {
  const { account, isOwn } = props
  const w = useWords(words)
  return (
    <li className={classes.row}>
      <div className={classes.facts}>
        <Group gap="xs">
          <Text fw={600}>{account.benutzer}</Text>
          {isOwn && <Badge>{w.ownAccount}</Badge>}
        </Group>
        <DimmedText>
          <RightsText {...account} />
        </DimmedText>
        <DimmedText>
          {w.lastSeen} <RelativeTime timestamp={account.zuletzt_angemeldet} none={w.never} />
          {account.zweiter_faktor && ` · ${w.authenticator}`}
          {account.passkeys > 0 && ` · ${w.passkeys(account.passkeys, account.passkeys)}`}
        </DimmedText>
      </div>
      <AccountMenu {...props} />
    </li>
  )
}

/** The rights of an account or an invitation in words: „Redaktion · nur items, logos“. */
export function RightsText({ rolle, ordner }: Pick<AccountAnswer, 'rolle' | 'ordner'>) {
  const w = useWords(words)
  const roleNames = useWords(roleWords)
  return (
    <>
      {roleNames[rolle]}
      {ordner !== null && ` · ${w.limitedToFolders(ordner.join(', '))}`}
    </>
  )
}
