/** The address of a link: to read, to copy, to open. */
import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useWords } from '../../language/language.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { MiddleCut } from '../../parts/middle-cut.tsx'
import classes from './shares.module.css'
import { words } from './words.ts'

export function AddressLine({ url, isMain = false }: { url: string; isMain?: boolean }) {
  const w = useWords(words)
  return (
    <div className={classes.address}>
      <div className={classes.code}>
        <MiddleCut>{url}</MiddleCut>
      </div>
      <CopyButton value={url} label={w.copyAddress} variant={isMain ? 'filled' : 'default'} />
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noreferrer"
        variant="default"
        leftSection={<IconExternalLink size={16} aria-hidden />}
      >
        {w.open}
      </Button>
    </div>
  )
}
