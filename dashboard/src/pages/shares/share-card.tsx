/** One share: its folder, address and creator, and the button to revoke it. */

import { Tooltip } from '@mantine/core'
import { IconFolder, IconLinkOff } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ShareOnWire } from '../../../../src/contract/files/shares.ts'
import { useTexts } from '../../language/language.tsx'
import { filesAddress } from '../../state/addresses.ts'
import { SignButton } from '../../ui/buttons.tsx'
import { MiddleCut } from '../../ui/files/middle-cut.tsx'
import type { FolderNode } from '../../ui/forms/folder-list.ts'
import { Panel } from '../../ui/lists/panel.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Time } from '../../ui/time.tsx'
import { AddressLine } from './address-line.tsx'
import classes from './shares.module.css'
import { words } from './words.ts'

export interface ShareCardProps {
  share: ShareOnWire
  /** Null for a folder without files; undefined until the folders are loaded. */
  folder: FolderNode | null | undefined
  onWithdraw(): void
}

export function ShareCard({ share, folder, onWithdraw }: ShareCardProps) {
  const { w, format } = useTexts(words)
  const figures =
    folder === null
      ? w.nothingThere
      : folder && w.figures(folder.dateien, format.number(folder.dateien), format.bytes(folder.bytes))
  return (
    <li>
      <Panel className={classes.share}>
        <div className={classes.facts}>
          <Tooltip label={w.showFolder(share.ordner)}>
            <Link href={filesAddress({ ordner: share.ordner })} className={classes.folder}>
              <IconFolder size={20} stroke={1.5} aria-hidden />
              <MiddleCut>{share.ordner}</MiddleCut>
            </Link>
          </Tooltip>
          <Quiet>
            {figures && `${figures} · `}
            {w.madeBy(share.erstellt_von)} <Time at={share.erstellt_am} />
          </Quiet>
        </div>
        <SignButton
          icon={IconLinkOff}
          label={w.withdraw}
          variant="subtle"
          color="gray"
          c="var(--fundus-bad)"
          aria-label={w.withdrawOne(share.ordner)}
          onClick={onWithdraw}
        />
        <AddressLine url={share.url} />
      </Panel>
    </li>
  )
}
