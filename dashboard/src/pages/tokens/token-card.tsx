/** One token: name, rights, last use and actions. */

import { ActionIcon, Badge, Group, Menu, Title } from '@mantine/core'
import { IconCode, IconDots, IconFolderOpen, IconPencil, IconTrashX } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { useWords } from '../../language/language.tsx'
import { filesAddress } from '../../state/addresses.ts'
import { ButtonWithIcon, MenuEntry } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { RelativeTime, useNow } from '../../ui/relative-time.tsx'
import { TokenDetails } from './token-details.tsx'
import classes from './tokens.module.css'
import { validityOf } from './validity.ts'
import { words } from './words.ts'

export interface TokenCardProps {
  token: TokenOnWire
  onEdit(): void
  onSamples(): void
  onWithdraw(): void
}

export function TokenCard({ token, onEdit, onSamples, onWithdraw }: TokenCardProps) {
  const w = useWords(words)
  const isExpired = validityOf(token.gueltig_bis, useNow()) === 'expired'
  return (
    <li>
      <Panel className={classes.card}>
        <div className={classes.head}>
          <Title order={2} className={classes.name}>
            {token.name}
          </Title>
          {isExpired && (
            <Badge variant="outline" color="var(--fundus-bad)" size="md" fw={700}>
              {w.expired}
            </Badge>
          )}
        </div>
        <TokenDetails token={token} />
        <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.foot}>
          <DimmedText>
            {token.zuletzt_benutzt === null ? (
              <>
                {w.neverUsed}, {w.created} <RelativeTime timestamp={token.erstellt_am} />
              </>
            ) : (
              <>
                {w.lastUsed} <RelativeTime timestamp={token.zuletzt_benutzt} />
              </>
            )}
          </DimmedText>
          <Group gap="xs" wrap="nowrap">
            <ButtonWithIcon
              icon={IconPencil}
              label={w.edit}
              variant="default"
              aria-label={w.editOne(token.name)}
              onClick={onEdit}
            />
            <TokenMenu token={token} onSamples={onSamples} onWithdraw={onWithdraw} />
          </Group>
        </Group>
      </Panel>
    </li>
  )
}

function TokenMenu({ token, onSamples, onWithdraw }: Omit<TokenCardProps, 'onEdit'>) {
  const w = useWords(words)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={w.more(token.name)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuEntry icon={IconCode} iconSize={16} label={w.howTo} onClick={onSamples} />
        <Menu.Item
          leftSection={<IconFolderOpen size={16} aria-hidden />}
          component={Link}
          href={filesAddress({ token: token.id, unterordner: true })}
        >
          {w.showFiles}
        </Menu.Item>
        <Menu.Divider />
        <MenuEntry icon={IconTrashX} iconSize={16} label={w.withdraw} danger onClick={onWithdraw} />
      </Menu.Dropdown>
    </Menu>
  )
}
