/** The file itself, by its kind. */
import { Button } from '@mantine/core'
import { type Ref, useState } from 'react'
import { Media } from '../files/details/media.tsx'
import type { FileAnswer } from '../files/types.ts'
import { useWords } from '../language/language.tsx'
import { nameOf } from '../state/paths.ts'
import { useContentSources } from '../ui/files/content.ts'
import { Picture, type PictureKeys } from './picture.tsx'
import { isPdf, isText } from './text.ts'
import { TextView } from './text-view.tsx'
import classes from './viewer.module.css'
import { words } from './words.ts'

export function Content({ file, keys }: { file: FileAnswer; keys: Ref<PictureKeys> }) {
  const w = useWords(words)
  const [failed, setFailed] = useState(false)
  if (file.art === 'bilder' && !failed) {
    return <Picture file={file} keys={keys} onFail={() => setFailed(true)} />
  }
  if (isPdf(file)) return <Pdf file={file} />
  if (isText(file)) return <TextView file={file} />
  return <div className={classes.media}>{failed ? w.noPreview : <Media file={file} />}</div>
}

/** In the browser's own viewer; phone browsers have none within a page, hence the link. */
function Pdf({ file }: { file: FileAnswer }) {
  const w = useWords(words)
  const source = useContentSources().file(file.path)
  return (
    <div className={classes.paper}>
      <iframe className={classes.pdf} src={source} title={nameOf(file.path)} />
      <Button component="a" href={source} target="_blank" rel="noreferrer" variant="subtle" hiddenFrom="md">
        {w.openAddress}
      </Button>
    </div>
  )
}
