/** Shows the file in the viewer, in a way that suits its kind. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useContentSources } from '../../ui/files/content.ts'
import { MediaContent } from '../details/media.tsx'
import type { FileAnswer } from '../types.ts'
import type { ViewerContentProps } from './content-props.ts'
import { FileNotShown } from './file-not-shown.tsx'
import { Picture } from './picture.tsx'
import { Player } from './player.tsx'
import { isPdf, isText } from './text.ts'
import { TextView } from './text-view.tsx'
import classes from './viewer.module.css'
import { words } from './words.ts'

export function ViewerContent({ file, keyHandlerRef }: ViewerContentProps) {
  const sources = useContentSources()
  const [hasFailed, setFailed] = useState(false)
  const markFailed = () => setFailed(true)
  if (hasFailed)
    return <FileNotShown file={file} keyHandlerRef={keyHandlerRef} onRetry={() => setFailed(false)} />
  if (file.art === 'bilder')
    return (
      <Picture
        file={file}
        address={sources.addressOfFile(file.path)}
        keyHandlerRef={keyHandlerRef}
        onFail={markFailed}
      />
    )
  if (file.art === 'video' || file.art === 'audio')
    return <Player file={file} keyHandlerRef={keyHandlerRef} onFail={markFailed} />
  if (isPdf(file)) return <Pdf file={file} />
  if (isText(file)) return <TextView file={file} />
  return (
    <div className={classes.media}>
      <MediaContent file={file} id={file.id} contentAddress={sources.addressOfFile(file.path)} />
    </div>
  )
}

/**
 * A PDF in the browser's own viewer. Most phone browsers cannot show a PDF within a page, so narrow windows
 * also have a link.
 */
function Pdf({ file }: { file: FileAnswer }) {
  const w = useWords(words)
  const source = useContentSources().addressOfFile(file.path)
  return (
    <div className={classes.paper}>
      <iframe className={classes.pdf} src={source} title={nameOf(file.path)} />
      <Button component="a" href={source} target="_blank" rel="noreferrer" variant="subtle" hiddenFrom="md">
        {w.openAddress}
      </Button>
    </div>
  )
}
