/** One share: its folder, address, creator, age and end, with buttons to change the end and to revoke it. */

import { Group, Text, Tooltip } from '@mantine/core'
import { IconCalendarDue, IconFolder, IconLinkOff } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ShareOnWire } from '../../../../src/contract/files/shares.ts'
import { useTexts } from '../../language/language.tsx'
import { filesAddress } from '../../state/addresses.ts'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import type { FolderNode } from '../../ui/forms/folder-list.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { validityOf } from '../tokens/validity.ts'
import { AddressLine } from './address-line.tsx'
import classes from './shares.module.css'
import { words } from './words.ts'

export interface ShareCardProps {
  share: ShareOnWire
  /** The folder in the tree; null if it has no files, undefined until the tree is loaded. */
  folder: FolderNode | null | undefined
  onChange(): void
  onWithdraw(): void
}

export function ShareCard({ share, folder, onChange, onWithdraw }: ShareCardProps) {
  const { w, format } = useTexts(words)
  const folderSummary =
    folder === null
      ? w.nothingThere
      : folder && w.filesAndSize(folder.dateien, format.number(folder.dateien), format.bytes(folder.bytes))
  return (
    <li>
      <Panel className={classes.share}>
        <div className={classes.facts}>
          <Tooltip label={w.showFolder(share.ordner)}>
            <Link href={filesAddress({ ordner: share.ordner })} className={classes.folder}>
              <IconFolder size={20} stroke={1.5} aria-hidden />
              <MiddleTruncatedText>{share.ordner}</MiddleTruncatedText>
            </Link>
          </Tooltip>
          <DimmedText>
            {folderSummary && `${folderSummary} · `}
            {w.madeBy(share.erstellt_von)} <RelativeTime timestamp={share.erstellt_am} />
          </DimmedText>
          <ShareExpiry share={share} />
        </div>
        <Group gap="xs" justify="flex-end" className={classes.actions ?? ''}>
          <ButtonWithIcon
            icon={IconCalendarDue}
            label={w.change}
            variant="subtle"
            color="gray"
            aria-label={w.changeOne(share.ordner)}
            onClick={onChange}
          />
          <ButtonWithIcon
            icon={IconLinkOff}
            label={w.withdraw}
            variant="subtle"
            color="gray"
            c="var(--fundus-bad)"
            aria-label={w.withdrawOne(share.ordner)}
            onClick={onWithdraw}
          />
        </Group>
        <AddressLine url={share.url} />
      </Panel>
    </li>
  )
}

/** When the link expires or has expired; nothing for a link that does not expire. */
function ShareExpiry({ share: { gueltig_bis } }: Pick<ShareCardProps, 'share'>) {
  const { w, format } = useTexts(words)
  if (gueltig_bis === null) return null
  const isExpired = validityOf(gueltig_bis, Date.now()) === 'expired'
  const expiryText = format.moment(gueltig_bis)
  return (
    <Text size="sm" fw={600} {...(isExpired && { c: 'var(--fundus-bad)' })}>
      {isExpired ? w.expiredOn(expiryText) : w.validUntil(expiryText)}
    </Text>
  )
}
