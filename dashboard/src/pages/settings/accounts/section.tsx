/** The section of the settings with accounts and invitations. */
import { Group } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { ButtonWithIcon } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { QueryResult } from '../../../ui/query-result.tsx'
import { RowsSkeleton } from '../../../ui/skeletons.tsx'
import { Section } from '../section.tsx'
import { AccountList } from './account-list.tsx'
import { AddAccountDialog } from './add-dialog.tsx'
import { Invitations, InviteButton } from './invitations.tsx'
import { words } from './words.ts'

export function AccountsSection() {
  const w = useWords(words)
  const query = useGet('benutzer')
  const [isAdding, setAdding] = useState(false)
  return (
    <Section name="accounts">
      <Group justify="space-between" py="md" gap="xs">
        <DimmedText>{w.addHint}</DimmedText>
        <Group gap="xs">
          <ButtonWithIcon
            icon={IconUserPlus}
            label={w.add}
            variant="default"
            onClick={() => setAdding(true)}
          />
          <InviteButton />
        </Group>
      </Group>
      <QueryResult query={query} skeleton={<RowsSkeleton rows={2} />}>
        {accounts => <AccountList accounts={accounts} />}
      </QueryResult>
      <Invitations />
      <AddAccountDialog opened={isAdding} onClose={() => setAdding(false)} />
    </Section>
  )
}
