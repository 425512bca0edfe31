/**
 * Shows the folder to which dragged files will be uploaded. It receives no events: the page below handles the
 * drop.
 */
import { Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { useWords } from '../language/language.tsx'
import { useObservable } from '../state/observable.ts'
import { DimmedText } from '../ui/dimmed-text.tsx'
import { dropTargetFolder, listenForDrops } from './drop.ts'
import classes from './uploads.module.css'
import { uploadZone } from './uploads.ts'
import { useUploadFolder } from './use-upload-folder.ts'
import { words } from './words.ts'

export function DropOverlay() {
  const w = useWords(words)
  const folder = useUploadFolder()
  const dropFolder = useObservable(dropTargetFolder)
  const zoneOfUploadFolder = useEffectEvent(() => uploadZone(folder))
  useEffect(() => listenForDrops(() => zoneOfUploadFolder()), [])
  if (dropFolder === null) return null
  return (
    <div className={classes.overlay}>
      <div className={classes.landing} role="status">
        <IconUpload size={28} stroke={1.5} aria-hidden />
        <div>
          <Text fw={600}>{w.dropHere}</Text>
          <Text>{dropFolder === '' ? w.intoTop : w.into(dropFolder)}</Text>
          <DimmedText>{w.dropHint}</DimmedText>
        </div>
      </div>
    </div>
  )
}
