/** One link: what it shows, its address, who made it, and the way to withdraw it. */
import { Button, Text, Tooltip } from '@mantine/core'
import { IconFolder, IconLinkOff } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ShareOnWire } from '../../../../src/contract/shares.ts'
import { useTexts } from '../../language/language.tsx'
import type { FolderNode } from '../../parts/folder-list.ts'
import { MiddleCut } from '../../parts/middle-cut.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { AddressLine } from './address-line.tsx'
import classes from './shares.module.css'
import { words } from './words.ts'

export interface ShareCardProps {
  share: ShareOnWire
  /** Null when nothing lies there; undefined while that is not known. */
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
            <Link href={`/dateien?ordner=${share.ordner}`} className={classes.folder}>
              <IconFolder size={20} stroke={1.5} aria-hidden />
              <MiddleCut>{share.ordner}</MiddleCut>
            </Link>
          </Tooltip>
          <Text size="sm" c="dimmed">
            {figures && `${figures} · `}
            {w.madeBy(share.erstellt_von)} <Time at={share.erstellt_am} />
          </Text>
        </div>
        <Button
          variant="subtle"
          color="gray"
          c="var(--fundus-bad)"
          leftSection={<IconLinkOff size={16} aria-hidden />}
          aria-label={w.withdrawOne(share.ordner)}
          onClick={onWithdraw}
        >
          {w.withdraw}
        </Button>
        <AddressLine url={share.url} />
      </Panel>
    </li>
  )
}
