/** The address of a share link or drop link, with buttons to copy and open it. */
import { IconExternalLink } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { LinkButton } from '../../ui/buttons.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import classes from './address-line.module.css'
import { words } from './words.ts'

export function AddressLine({ url, isMain: isCopyButtonFilled = false }: { url: string; isMain?: boolean }) {
  const w = useWords(words)
  return (
    <div className={classes.address}>
      <div className={classes.code}>
        <MiddleTruncatedText>{url}</MiddleTruncatedText>
      </div>
      <CopyButton value={url} label={w.copyAddress} variant={isCopyButtonFilled ? 'filled' : 'default'} />
      <LinkButton icon={IconExternalLink} label={w.open} href={url} target="_blank" rel="noreferrer" />
    </div>
  )
}
